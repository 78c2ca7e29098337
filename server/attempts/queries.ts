import type { Sql } from "../../db/connect.ts";
import { type SeriesFilter, whereSeries } from "../capacity/queries.ts";
import type { StoredEvidence } from "../classification/evidence.ts";

export interface AttemptPageQuestion {
  readonly projectId: number;
  readonly filter: SeriesFilter;
  readonly fromMs: number;
  readonly toMs: number;
  readonly outcomeCode: number | null;
  readonly requestId: string | null;
  readonly eventId: string | null;
  readonly limit: number;
  /** The last attempt of the page before. */
  readonly after: { readonly occurredAtMs: number; readonly eventId: string } | null;
}

export interface AttemptListRow {
  readonly eventId: string;
  readonly occurredAt: Date;
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly source: string;
  readonly account: string;
  readonly chain: string;
  readonly outcome: number;
  readonly httpStatus: number | null;
  readonly evidence: StoredEvidence | null;
  readonly latencyMs: number | null;
  readonly firstTokenMs: number | null;
  readonly inputTokens: number | null;
  readonly outputTokens: number | null;
  readonly requestId: string | null;
  readonly attempt: number | null;
  readonly isFinal: boolean;
  readonly position: number | null;
  readonly inFlight: number | null;
  readonly retryAfterMs: number | null;
  readonly servedModel: string | null;
  readonly isStream: boolean | null;
}

/** Attempts of [from, to), newest first; ties by event id, descending. */
export async function listAttempts(sql: Sql, question: AttemptPageQuestion): Promise<AttemptListRow[]> {
  const { projectId, fromMs, toMs, outcomeCode, requestId, eventId, after, limit } = question;
  return sql<AttemptListRow[]>`
    select a.event_id as "eventId", a.occurred_at as "occurredAt", s.provider, s.model, s.endpoint, s.source,
           s.account, s.chain, a.outcome, a.http_status as "httpStatus", a.evidence,
           a.latency_ms as "latencyMs", a.first_token_ms as "firstTokenMs", a.input_tokens as "inputTokens",
           a.output_tokens as "outputTokens", a.request_id as "requestId", a.attempt, a.is_final as "isFinal",
           a.position, a.in_flight as "inFlight", a.retry_after_ms as "retryAfterMs", m.name as "servedModel",
           a.is_stream as "isStream"
      from attempt a
      join series s on s.project_id = a.project_id and s.id = a.series_id
      left join served_model m on m.project_id = a.project_id and m.id = a.served_model_id
     where a.project_id = ${projectId}
       and a.occurred_at >= ${new Date(fromMs)} and a.occurred_at < ${new Date(toMs)}
       and ${whereSeries(sql, projectId, question.filter)}
       ${outcomeCode === null ? sql`` : sql`and a.outcome = ${outcomeCode}`}
       ${requestId === null ? sql`` : sql`and a.request_id = ${requestId}`}
       ${eventId === null ? sql`` : sql`and a.event_id = ${eventId}`}
       ${
         after === null
           ? sql``
           : sql`and (a.occurred_at, a.event_id) < (${new Date(after.occurredAtMs)}, ${after.eventId}::uuid)`
       }
     order by a.occurred_at desc, a.event_id desc
     limit ${limit}`;
}
