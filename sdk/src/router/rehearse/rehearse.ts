import { quietly } from "../../observe/body-watch.ts";
import { findServerOf } from "../sync/server-of.ts";
import { type RouterSystem, realRouterSystem } from "../system.ts";
import type { Router, Target } from "../types.ts";
import { formatTable } from "./format-table.ts";
import { type CaseResult, judgeCase } from "./judge-case.ts";
import { reportRehearsal } from "./report-rehearsal.ts";
import type { Rehearsal, RehearsalCase, RehearsalOptions, RehearsedTarget } from "./types.ts";

const USUAL_CONCURRENCY = 4;

/**
 * Tries each target of a router's chain on typical tasks, compares the answers with what is expected, prints a table, and
 * reports to the server. For CI: `process.exitCode = (await rehearse(router, cases)).exitCode`.
 *
 * @param system clocks; for tests
 * @throws {TypeError} when there is no case
 * @throws the signal's reason, when it fires
 */
export async function rehearse<Input, Output, Value = Output>(
  router: Router<Input, Output>,
  cases: readonly RehearsalCase<Input, Output, Value>[],
  options: RehearsalOptions = {},
  system: RouterSystem = realRouterSystem,
): Promise<Rehearsal> {
  if (cases.length === 0)
    throw new TypeError("rehearse: cases must hold at least one task { input, expect }");
  const { chain, planVersion } = router;
  const [startedAt, startedMs] = [system.now(), system.elapsed()];
  const results = await runAll(router, cases, chain.targets, options);
  const least = options.leastPassShare ?? 1;
  const targets = chain.targets.map((target, at) => summarise(target, results[at] ?? [], cases, least));
  const isOk = targets.every((target) => target.isOk);
  const table = formatTable(targets);
  if (options.print !== false) (options.print ?? print)(table);
  const isReported = await report(router, options, system, {
    chain: chain.name ?? "default",
    source: options.source,
    planVersion,
    startedAt,
    durationMs: system.elapsed() - startedMs,
    cases: cases.length,
    isOk,
    targets,
  });
  return { isOk, exitCode: isOk ? 0 : 1, targets, table, isReported };
}

/** Every task at every target, so many at once. @returns by target, then by case */
async function runAll<Input, Output, Value>(
  router: Router<Input, Output>,
  cases: readonly RehearsalCase<Input, Output, Value>[],
  targets: readonly Target[],
  { concurrency = USUAL_CONCURRENCY, deadlineMs, signal, onProgress }: RehearsalOptions,
): Promise<CaseResult[][]> {
  const results: CaseResult[][] = targets.map(() => []);
  // A task at all targets before the next task, so that no target gets all calls at once.
  const jobs = cases.flatMap((one, at) =>
    targets.map((target, place) => async () => {
      const result = await judgeCase(router, one, target, { deadlineMs, signal });
      const row = results[place];
      if (row !== undefined) row[at] = result;
      return { target: target.id, case: nameOf(one, at), isPassed: result.failure === null };
    }),
  );
  const total = jobs.length;
  let done = 0;
  async function work(): Promise<void> {
    for (let job = jobs.shift(); job !== undefined; job = jobs.shift()) {
      signal?.throwIfAborted();
      const progress = await job();
      done++;
      if (onProgress !== undefined) quietly(() => onProgress({ done, total, ...progress }));
    }
  }
  await Promise.all(Array.from({ length: Math.max(1, Math.floor(concurrency)) }, work));
  signal?.throwIfAborted();
  return results;
}

function summarise(
  target: Target,
  results: readonly CaseResult[],
  cases: readonly { readonly name?: string }[],
  leastPassShare: number,
): RehearsedTarget {
  const failures = results.flatMap(({ failure }, at) =>
    failure === null ? [] : [{ case: nameOf(cases[at], at), ...failure }],
  );
  const passed = results.length - failures.length;
  return {
    target,
    passed,
    failed: failures.length,
    isOk: results.length > 0 && passed / results.length >= leastPassShare,
    latencyMsP50: medianOf(results.flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]))),
    failures,
  };
}

const nameOf = (one: { readonly name?: string } | undefined, at: number) => one?.name || `case ${at + 1}`;

function medianOf(values: readonly number[]): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  return low === undefined || high === undefined ? null : (low + high) / 2;
}

/** That the server does not hear of it is no reason for a pipeline to fail. */
async function report(
  router: object,
  { server }: RehearsalOptions,
  system: RouterSystem,
  given: Parameters<typeof reportRehearsal>[1],
): Promise<boolean | null> {
  const known = server === undefined ? findServerOf(router) : server;
  if (known === null || known === false) return null;
  const fault = await reportRehearsal(known, given, system);
  // biome-ignore lint/suspicious/noConsole: a library without a logger
  if (fault !== null) console.warn(`busyhour: the rehearsal was not reported: ${fault}`);
  return fault === null;
}

function print(table: string): void {
  // biome-ignore lint/suspicious/noConsole: a table for the person who runs it; `print` replaces it
  console.log(table);
}
