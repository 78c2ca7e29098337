import { VERSION } from "../../version.ts";
import { readPlanSource } from "../sync/plan-source.ts";
import type { KnownServer } from "../sync/server-of.ts";
import { createTransport } from "../sync/transport.ts";
import type { RouterSystem } from "../system.ts";
import type { RehearsedTarget } from "./types.ts";

const TIMEOUT_MS = 10_000;
/** Of one target, and of all: it stays below the 64 KiB that the server takes. */
const MAX_FAILURES_OF_TARGET = 20;
const MAX_FAILURES = 150;
const MAX_NAME_LENGTH = 200;

export interface RehearsalReport {
  readonly chain: string;
  readonly source: string | undefined;
  readonly planVersion: number | null;
  readonly startedAt: number;
  readonly durationMs: number;
  readonly cases: number;
  readonly isOk: boolean;
  readonly targets: readonly RehearsedTarget[];
}

/** @returns `null` when the server has it; else why not */
export async function reportRehearsal(
  server: KnownServer,
  report: RehearsalReport,
  system: RouterSystem,
): Promise<string | null> {
  const settings = readPlanSource(server);
  if ("fault" in settings) return settings.fault;
  const limit = new AbortController();
  const stopTimer = system.setTimer(() => limit.abort(), TIMEOUT_MS, false);
  try {
    const { status } = await createTransport(server.fetch).send({
      method: "POST",
      url: `${settings.base}/v1/rehearsals`,
      headers: { authorization: `Bearer ${server.key.trim()}`, "content-type": "application/json" },
      body: JSON.stringify(toBody(report)),
      signal: limit.signal,
    });
    return status === 201 ? null : `the server answered ${status}`;
  } catch (error) {
    return `the server cannot be reached (${error instanceof Error ? error.message : String(error)})`;
  } finally {
    stopTimer();
  }
}

/** What models answered stays here: names, reasons and outcomes travel. */
function toBody({ targets, ...report }: RehearsalReport) {
  const most = Math.min(MAX_FAILURES_OF_TARGET, Math.max(1, Math.floor(MAX_FAILURES / targets.length)));
  return {
    ...report,
    sdkVersion: VERSION,
    targets: targets.map(({ target, passed, failed, latencyMsP50, failures }) => ({
      target: target.id,
      provider: target.provider,
      model: target.model,
      passed,
      failed,
      latencyMsP50,
      failures: failures.slice(0, most).map(({ case: name, reason, outcome }) => ({
        case: name.slice(0, MAX_NAME_LENGTH).replace(/[\ud800-\udbff]$/, ""),
        reason,
        outcome,
      })),
    })),
  };
}
