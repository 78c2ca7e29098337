/**
 * How often `classify` names a failure as people did, on a file of labelled failures, and how many it names in a
 * second; beside it the retry rules of openai-node and the AI SDK, run from their packages on the same rows.
 *
 *   npm run bench:classify -- FILE
 *
 * Each line of the file is one failure: {id, provider?, status?, headers?, body?, exception?, label, alt_label?,
 * retryable?, retry_after_ms?}.
 */
import fs from "node:fs";
import { classify } from "@busyhour/sdk";
import { createAiSdkRule, createOpenAiRule, type RetryRule } from "./support/baselines.ts";
import { type Judged, judge, type LabelledRow, parseRow } from "./support/labelled.ts";

const MEASURE_MS = 2_000;

const share = (part: number, whole: number) =>
  `${part}/${whole} (${whole === 0 ? "–" : `${((100 * part) / whole).toFixed(1)} %`})`;

function readRows(file: string): LabelledRow[] {
  const rows: LabelledRow[] = [];
  fs.readFileSync(file, "utf8")
    .split("\n")
    .forEach((line, index) => {
      if (line.trim() === "") return;
      try {
        rows.push(parseRow(line));
      } catch (error) {
        console.error(
          `${file}, line ${index + 1} ${error instanceof Error ? error.message : error}: passed over`,
        );
      }
    });
  return rows;
}

function printAccuracy(judged: readonly Judged[]): void {
  const decided = judged.filter((one) => one.isRetryRight !== null);
  const stated = judged.filter((one) => one.row.waitMs !== null);
  const unstated = judged.filter((one) => one.row.waitMs === null);
  console.log(`rows                          ${judged.length}`);
  console.log(
    `named as people did           ${share(
      count(judged, (one) => one.isNamed),
      judged.length,
    )}`,
  );
  console.log(
    `  by their first choice       ${share(
      count(judged, (one) => one.isBest),
      judged.length,
    )}`,
  );
  console.log(
    `retryable                     ${share(
      count(decided, (one) => one.isRetryRight === true),
      decided.length,
    )}`,
  );
  console.log(
    `stated waits                  ${share(
      count(stated, (one) => one.isWaitRight),
      stated.length,
    )}`,
  );
  console.log(`waits where none was stated   ${count(unstated, (one) => !one.isWaitRight)}`);
  console.log(`hard called capacity          ${count(judged, (one) => one.isHardAsCapacity)}`);
  console.log(`capacity called hard          ${count(judged, (one) => one.isCapacityAsHard)}`);
  console.log("\nby first choice");
  for (const label of [...new Set(judged.map((one) => one.row.labels[0] ?? ""))].sort()) {
    const rows = judged.filter((one) => one.row.labels[0] === label);
    console.log(
      `  ${label.padEnd(18)} ${share(
        count(rows, (one) => one.isNamed),
        rows.length,
      )}`,
    );
  }
}

function printMisses(judged: readonly Judged[]): void {
  const misses = judged.filter((one) => !one.isNamed || one.isRetryRight === false || !one.isWaitRight);
  console.log(`\nmisses: ${misses.length}`);
  for (const { row, verdict, isNamed, isRetryRight, isWaitRight } of misses) {
    const faults = [
      isNamed ? "" : `${verdict.outcome}, not ${row.labels.join(" or ")}`,
      isRetryRight === false ? `retryable ${verdict.retryable}` : "",
      isWaitRight ? "" : `wait ${verdict.retryAfterMs}, not ${row.waitMs}`,
    ];
    console.log(`  ${row.id}: ${faults.filter((fault) => fault !== "").join("; ")} (${verdict.rule})`);
  }
}

/** A baseline and ours on the rows that show a status and that people agree about. */
async function printRetryRule(name: string, rule: RetryRule, judged: readonly Judged[]): Promise<void> {
  let rows = 0;
  const wrong = { hopeless: 0, givenUp: 0, ours: 0 };
  for (const { row, isRetryRight } of judged) {
    const repeats = await rule(row);
    if (repeats === null || row.isRetryable === null) continue;
    rows += 1;
    if (repeats && !row.isRetryable) wrong.hopeless += 1;
    if (!repeats && row.isRetryable) wrong.givenUp += 1;
    if (isRetryRight === false) wrong.ours += 1;
  }
  const right = rows - wrong.hopeless - wrong.givenUp;
  console.log(
    `  ${name.padEnd(22)} ${share(right, rows)} right; repeats ${wrong.hopeless} hopeless, gives up ${wrong.givenUp} good; ` +
      `classify on the same rows ${share(rows - wrong.ours, rows)}`,
  );
}

/** Per second of time that passes, and of time that the processor spends on it: others may use it too. */
function measureSpeed(rows: readonly LabelledRow[]): { perSecond: number; perProcessorSecond: number } {
  const pass = () => {
    for (const row of rows) classify(row.failure);
  };
  for (let i = 0; i < 50; i++) pass();
  const started = performance.now();
  const spent = process.cpuUsage();
  let done = 0;
  while (performance.now() - started < MEASURE_MS) {
    pass();
    done += rows.length;
  }
  const elapsedMs = performance.now() - started;
  const { user, system } = process.cpuUsage(spent);
  return { perSecond: (done / elapsedMs) * 1e3, perProcessorSecond: (done / (user + system)) * 1e6 };
}

const count = <T>(list: readonly T[], is: (one: T) => boolean) => list.filter(is).length;

const [file] = process.argv.slice(2);
if (file === undefined || !fs.existsSync(file)) {
  console.error("Name a file of labelled failures: npm run bench:classify -- FILE");
  process.exit(1);
}
const rows = readRows(file);
const judged = rows.map((row) => judge(row, classify(row.failure)));
printAccuracy(judged);
console.log("\nretry decisions where a status was shown");
await printRetryRule("openai-node", createOpenAiRule(), judged);
await printRetryRule("AI SDK", createAiSdkRule(), judged);
printMisses(judged);
const speed = measureSpeed(rows);
const inWords = (rate: number) => Math.round(rate).toLocaleString("en");
console.log(`\n${inWords(speed.perSecond)} classifications per second`);
console.log(`${inWords(speed.perProcessorSecond)} per second of processor time`);
