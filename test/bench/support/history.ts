import type { Sql } from "../../../db/connect.ts";
import { outcomeCode } from "../../../server/ingest/row.ts";
import { makePartition } from "../../../server/retention/partitions.ts";

export const SERIES_COUNT = 40;
const MODELS = 10;
const DAY_MS = 86_400_000;

/** The series of the default project, if they are not there: ten models at four endpoints each. */
export async function makeSeries(sql: Sql): Promise<void> {
  await sql`
    insert into series (project_id, source, provider, model, endpoint, account, chain)
    select 1, 'app', 'provider-' || i % 3, 'model-' || i % ${MODELS}::int, 'region-' || i / ${MODELS}::int, '', ''
      from generate_series(0, ${SERIES_COUNT - 1}::int) i
        on conflict do nothing`;
}

/**
 * Raw attempts in [from, to), spread over all series in a daily wave: nights are quiet, and at noon the providers
 * are full. The database makes them itself, which is many times faster than sending them.
 */
export async function insertHistory(sql: Sql, fromMs: number, toMs: number, rows: number): Promise<void> {
  const days: number[] = [];
  for (let dayMs = Math.floor(fromMs / DAY_MS) * DAY_MS; dayMs < toMs; dayMs += DAY_MS) days.push(dayMs);
  for (const dayMs of days) {
    await makePartition(sql, dayMs / DAY_MS);
    await insertDay(sql, dayMs, { fromMs, toMs, rows: Math.ceil((rows / (toMs - fromMs)) * DAY_MS) });
  }
}

async function insertDay(
  sql: Sql,
  dayMs: number,
  { fromMs, toMs, rows }: { fromMs: number; toMs: number; rows: number },
): Promise<void> {
  await sql`
    insert into attempt (project_id, series_id, occurred_at, event_id, outcome, http_status, attempt, position,
           is_final, is_stream, latency_ms, first_token_ms, input_tokens, output_tokens)
    select 1, first_id + floor(random() * ${SERIES_COUNT}::int)::int, occurred_at, gen_random_uuid(),
           case when luck < 0.01 + 0.08 * fullness then ${outcomeCode("capacity")}::smallint
                when luck < 0.025 + 0.08 * fullness then ${outcomeCode("rate_limit")}::smallint
                when luck < 0.035 + 0.08 * fullness then ${outcomeCode("timeout")}::smallint
                when luck < 0.04 + 0.08 * fullness then ${outcomeCode("server_error")}::smallint
                else ${outcomeCode("ok")}::smallint end,
           null, 1 + floor(luck * 1.1)::int, floor(luck * 1.1)::int, luck < 0.95, luck < 0.7,
           latency_ms, case when luck < 0.7 then latency_ms / 3 end, 200 + (2000 * luck)::int, (900 * luck)::int
      from (select min(id) as first_id from series where project_id = 1) as series,
           lateral (
           select ${new Date(dayMs)}::timestamptz + (u - 0.11 * sin(2 * pi() * u)) * interval '24 hours' as occurred_at,
                  (1 - cos(2 * pi() * u)) / 2 as fullness, random() as luck,
                  (400 * exp(2.5 * random()) * exp(0.5 * random()))::int as latency_ms
             from (select (i - random()) / ${rows}::int as u from generate_series(1, ${rows}::int) i) as ranks) as made
     where occurred_at >= ${new Date(fromMs)} and occurred_at < ${new Date(toMs)}`;
}

/** One step of live traffic: attempts of the seconds before `nowMs`, some of them late, and their minutes. */
export async function insertLive(sql: Sql, nowMs: number, lengthMs: number, rows: number): Promise<void> {
  const lateMs = 3_000;
  await sql.begin(async (tx) => {
    await tx`
      insert into attempt (project_id, series_id, occurred_at, event_id, outcome, is_final, latency_ms, first_token_ms,
             input_tokens, output_tokens)
      select 1, first_id + floor(random() * ${SERIES_COUNT}::int)::int,
             ${new Date(nowMs)}::timestamptz
               - (random() * ${lengthMs}::int + random() * ${lateMs}::int) * interval '1 millisecond',
             gen_random_uuid(), case when luck < 0.08 then ${outcomeCode("capacity")}::smallint
                                     when luck < 0.1 then ${outcomeCode("timeout")}::smallint
                                     else ${outcomeCode("ok")}::smallint end,
             true, (400 * exp(3 * random()))::int, (200 * exp(2 * random()))::int, 500, 200
        from (select min(id) as first_id from series where project_id = 1) as series,
             (select random() as luck from generate_series(1, ${rows}::int)) as made`;
    // As ingest does it: each batch of 500 notes its minutes.
    await tx`
      insert into touched_bucket (project_id, minute)
      select distinct on (batch, minute) 1, minute
        from (select i / 500 as batch, date_trunc('minute', ${new Date(nowMs)}::timestamptz
                     - (random() * ${lengthMs + lateMs}::int) * interval '1 millisecond', 'UTC') as minute
                from generate_series(1, ${rows}::int) i) as noted`;
  });
}
