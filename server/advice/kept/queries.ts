import type { JSONValue } from "postgres";
import type { Sql } from "../../../db/connect.ts";
import type { AnswerTo, Question } from "../question.ts";

/** What all answers of a project are made of until a rollup before `toMs` changes. */
export interface History {
  readonly version: number;
  readonly toMs: number;
  readonly timeZone: string;
}

/** @returns `null` while there is none, or what was counted in it has changed since */
export async function findHistory(sql: Sql, projectId: number): Promise<History | null> {
  const [row] = await sql<{ version: number; rangeTo: Date; timeZone: string }[]>`
    select version, range_to as "rangeTo", time_zone as "timeZone" from hour_profile_run
     where project_id = ${projectId} and not is_stale`;
  return row === undefined
    ? null
    : { version: row.version, toMs: row.rangeTo.getTime(), timeZone: row.timeZone };
}

export interface KeptKey {
  readonly projectId: number;
  readonly question: Question;
  readonly historyVersion: number;
  /** 0: none is in force. */
  readonly planVersion: number;
}

export async function findKept<Q extends Question>(
  sql: Sql,
  key: KeptKey & { readonly question: Q },
): Promise<AnswerTo<Q> | null> {
  const [row] = await sql<{ answer: AnswerTo<Q> }[]>`
    select answer from kept_answer
     where project_id = ${key.projectId} and question = ${toText(key.question)}
       and history_version = ${key.historyVersion} and plan_version = ${key.planVersion}`;
  return row?.answer ?? null;
}

/**
 * Keeps an answer, unless the project was removed meanwhile.
 *
 * @param askedAt `null`: made beforehand, nobody asked for it
 */
export async function keepAnswer(
  sql: Sql,
  key: KeptKey,
  answer: AnswerTo<Question>,
  askedAt: Date | null,
): Promise<void> {
  await sql`
    insert into kept_answer (project_id, question, history_version, plan_version, answer, asked_at)
    select id, ${toText(key.question)}, ${key.historyVersion}, ${key.planVersion}, ${sql.json(answer as JSONValue)}::json,
           ${askedAt}::timestamptz
      from project where id = ${key.projectId} for key share
        on conflict (project_id, question) do update
       set history_version = excluded.history_version, plan_version = excluded.plan_version,
           answer = excluded.answer, asked_at = coalesce(excluded.asked_at, kept_answer.asked_at)`;
}

/** Once an hour is enough to know what people still ask. */
export async function noteAsked(sql: Sql, { projectId, question }: KeptKey, at: Date): Promise<void> {
  await sql`
    update kept_answer set asked_at = ${at}
     where project_id = ${projectId} and question = ${toText(question)}
       and (asked_at is null or asked_at < ${at}::timestamptz - interval '1 hour')`;
}

/** What people asked since `since`, latest first. */
export async function listAsked(
  sql: Sql,
  projectId: number,
  since: Date,
  limit: number,
): Promise<Question[]> {
  const rows = await sql<{ question: string }[]>`
    select question from kept_answer
     where project_id = ${projectId} and asked_at >= ${since} order by asked_at desc limit ${limit}`;
  return rows.map(({ question }) => JSON.parse(question) as Question);
}

/** Forgets all but the `most` that were asked last, and what nobody asked since `before`. */
export async function forgetAnswers(sql: Sql, projectId: number, before: Date, most: number): Promise<void> {
  await sql`
    delete from kept_answer
     where project_id = ${projectId} and asked_at is not null
       and (asked_at < ${before} or question not in (
             select question from kept_answer
              where project_id = ${projectId} and asked_at is not null order by asked_at desc limit ${most}))`;
}

export async function listProjectsWithHistory(sql: Sql): Promise<number[]> {
  const rows = await sql<{ id: number }[]>`
    select p.id from project p join hour_profile_run r on r.project_id = p.id where not r.is_stale`;
  return rows.map(({ id }) => id);
}

export async function findPlanVersion(sql: Sql, projectId: number, atMs: number): Promise<number> {
  const [row] = await sql<{ version: number }[]>`
    select version from plan
     where project_id = ${projectId} and published_at is not null and published_at <= ${new Date(atMs)}
     order by version desc limit 1`;
  return row?.version ?? 0;
}

/** The same text for the same question, whatever the order of its parts. */
export function toText({ of, query }: Question): string {
  const parts = Object.entries(query).filter(([, value]) => value !== undefined) as [string, JSONValue][];
  parts.sort(([a], [b]) => (a < b ? -1 : 1));
  return JSON.stringify({ of, query: Object.fromEntries(parts) });
}
