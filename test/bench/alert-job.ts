/**
 * How long a run of the alerts job takes with 500 rules that each tell 200 targets apart, on a database of its own: the
 * usual run every half minute, the one that closes a slot and stores what all rules remember, and the first after a
 * restart.
 *
 *   npm run bench:alert-job -- [--rules 500] [--series 200] [--slots 6]
 */
import { connect, type Sql } from "../../db/connect.ts";
import { migrate } from "../../db/migrate.ts";
import { openDatabase } from "../../db/open-database.ts";
import { createAlertJob } from "../../server/alerts/job.ts";
import { runUsual } from "../../server/alerts/usual-job.ts";
import type { AlertRuleInput } from "../../server/contract/alert-rule.ts";
import { judge, median, readNumber } from "./support/numbers.ts";
import { makeFolder, removeFolder } from "./support/product.ts";

const ruleCount = readNumber(process.argv, "rules", 500);
const seriesCount = readNumber(process.argv, "series", 200);
const slotCount = readNumber(process.argv, "slots", 6);
const MAX_MS = 1_000;
const SLOT_MS = 300_000;
const startMs = Date.parse("2026-11-29T12:00:00Z");

const CONDITIONS: readonly AlertRuleInput["condition"][] = [
  { kind: "learnt" },
  { kind: "fastRise" },
  { kind: "share", above: 0.9, windowMinutes: 60, minCalls: 50 },
  { kind: "count", atLeast: 100_000, windowMinutes: 30 },
  { kind: "burnRate", objective: 0.9 },
];
const OUTCOMES = [["capacity"], ["timeout"], ["server_error"], ["capacity", "timeout"]] as const;

function makeRule(i: number): AlertRuleInput {
  return {
    name: `rule ${i}`,
    isEnabled: true,
    severity: "warning",
    measure: {
      of: i % 2 === 0 ? "attempts" : "requests",
      outcomes: [...(OUTCOMES[Math.floor(i / 2) % OUTCOMES.length] ?? ["capacity"])],
    },
    condition: CONDITIONS[i % CONDITIONS.length] ?? { kind: "learnt" },
    where: {},
    groupBy: "target",
    pendingMinutes: 0,
    remindHours: null,
    channels: null,
  };
}

/** Every series is called every minute and finds no room now and then; outcomes 0 and 1 are ok and capacity. */
async function fill(sql: Sql): Promise<void> {
  await sql`insert into project (slug, name) values ('bench', 'Bench') on conflict do nothing`;
  await sql`
    insert into series (project_id, source, provider, model, endpoint, account, chain)
    select 1, 'app', 'provider ' || i % 5, 'model ' || i, '', '', ''
      from generate_series(1, ${seriesCount}::int) as i`;
  const insert = (level: string, days: number, step: string) => sql`
    insert into ${sql(`attempt_rollup_${level}`)}
           (project_id, series_id, bucket_start, outcome, attempt_count, final_count, degraded_count, retry_count,
            latency_ms_sum, input_tokens_sum, output_tokens_sum)
    select 1, s.id, t, o.outcome, o.n, o.n, 0, 0, 0, 0, 0
      from series s,
           generate_series(${new Date(startMs - days * 86_400_000)}::timestamptz,
                           ${new Date(startMs + (slotCount + 2) * SLOT_MS)}::timestamptz, ${step}::interval) as t,
           (values (0, 20), (1, 1)) as o (outcome, n)`;
  await insert("1m", 0.5, "1 minute");
  await insert("15m", 8, "15 minutes");
  for (let i = 0; i < ruleCount; i++) {
    const now = new Date(startMs);
    await sql`
      insert into alert_rule (project_id, rule, created_at, changed_at)
      values (1, ${sql.json(makeRule(i) as never)}, ${now}, ${now})`;
  }
  await sql`vacuum (analyze)`;
}

const folder = makeFolder("bench-alert-job");
const database = await openDatabase({ dataDir: folder, say: () => {} });
const sql = connect(database.target, { max: 2, name: "bench" });
let isFine = true;
try {
  await migrate(database.target);
  await fill(sql);
  let told = 0;
  const createJob = () =>
    createAlertJob({
      sql,
      enqueueNotice: async () => {
        told++;
      },
      explain: async () => ({ cause: null, order: null }),
    });
  const timed = async (work: () => Promise<unknown>): Promise<number> => {
    const at = performance.now();
    const cpu = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(cpu);
    if (process.argv.includes("--cpu")) console.log("cpu", (user + system) / 1000, performance.now() - at);
    return performance.now() - at;
  };
  const usualMs = await timed(() => runUsual(sql, startMs));
  let job = createJob();
  const firstMs = await timed(() => job.run(startMs + 130_000));
  const times: Record<"closing" | "usual" | "restarted", number[]> = {
    closing: [],
    usual: [],
    restarted: [],
  };
  for (let slot = 1; slot <= slotCount; slot++) {
    const slotMs = startMs + slot * SLOT_MS;
    times.usual.push(await timed(() => job.run(slotMs + 100_000)));
    times.closing.push(await timed(() => job.run(slotMs + 130_000)));
    job = createJob();
    times.restarted.push(await timed(() => job.run(slotMs + 160_000)));
  }
  const [size] = await sql<{ bytes: number }[]>`
    select sum(length(groups::text))::float8 as bytes from alert_state`;
  console.log(
    `${ruleCount} rules × ${seriesCount} series; ${told} notices; ${((size?.bytes ?? 0) / 1e6).toFixed(1)} MB remembered`,
  );
  console.log(
    `what is usual, once an hour: ${usualMs.toFixed(0)} ms; all rules new: ${firstMs.toFixed(0)} ms`,
  );
  for (const [name, ms] of Object.entries(times)) {
    const middle = median(ms);
    const isMet = middle <= MAX_MS;
    const verdict = name === "restarted" ? "" : judge(isMet, `< ${MAX_MS} ms`);
    if (name !== "restarted") isFine &&= isMet;
    console.log(
      `${name.padEnd(9)} run: median ${middle.toFixed(0)} ms, longest ${Math.max(...ms).toFixed(0)} ms  ${verdict}`,
    );
  }
} finally {
  await sql.end();
  await database.close();
  removeFolder(folder);
}
process.exitCode = isFine ? 0 : 1;
