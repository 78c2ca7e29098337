import type { Cause, Remedy } from "../contract/diagnosis.ts";
import type { Findings, KindFinding } from "./finding.ts";

/** The first step, in the order in which to look, that explains what happened. */
export function findCause({ kind, traffic, attempts, concurrency, scope }: Findings): Cause {
  if (kind.verdict === "tooFew") return "tooFew";
  if (kind.verdict === "none") return "none";
  if (kind.verdict === "other") return "notCapacity";
  if (traffic.verdict === "grew") return "ownTraffic";
  if (attempts.verdict === "storm") return "ownRetries";
  if (concurrency.verdict === "tooHigh") return "ownConcurrency";
  if (isAsUsual(kind)) return "asUsual";
  return scope.verdict === "unknown" || scope.verdict === "nothing" ? "unclear" : scope.verdict;
}

/** Not above what these hours usually have, for all that can be told: then nothing happened that needs a cause. */
function isAsUsual({ capacity, usual }: KindFinding): boolean {
  if (usual.state !== "enough" || capacity.rate === null || usual.rate === null) return false;
  return capacity.rate <= usual.rate || (capacity.low ?? 0) <= usual.rate;
}

/** What to do, the first thing first: what one's own calls do, then what is at hand, then what must be got. */
export function listRemedies(findings: Findings, recoveryMinutes: number | null): Remedy[] {
  const { kind, traffic, attempts, concurrency, scope, elsewhere } = findings;
  if (kind.verdict === "tooFew") return ["gather"];
  if (kind.verdict === "none") return ["nothing"];
  if (kind.verdict === "other") return ["mendFailure"];
  const remedies: Remedy[] = [];
  if (traffic.verdict === "grew") remedies.push("spreadLoad");
  if (attempts.verdict === "storm") remedies.push("retryLess");
  if (concurrency.verdict === "tooHigh") remedies.push("fewerAtOnce");
  if (elsewhere.model !== null) remedies.push("useOther");
  if (elsewhere.window !== null) remedies.push("moveToWindow");
  if (recoveryMinutes !== null) remedies.push("waitOut");
  const isWide = scope.verdict === "provider" || scope.verdict === "everything";
  if (elsewhere.model === null && (isWide || remedies.length === 0)) remedies.push("addProvider");
  return remedies;
}
