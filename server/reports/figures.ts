import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import { targetKey } from "../advice/target-history.ts";
import { toCell } from "../capacity/cell.ts";
import { groupBy } from "../capacity/group-by.ts";
import { countShare } from "../capacity/share.ts";
import type { ReportDocument, ReportFigures } from "../contract/report.ts";
import { outcomeCode } from "../ingest/row.ts";
import { sum } from "../profile/sum.ts";
import type { ChainCount } from "./queries.ts";

const OK = outcomeCode("ok");
/** What somebody must change something about: no waiting mends it. */
const TROUBLE: readonly Outcome[] = ["quota", "rate_limit", "auth", "permission"];

type Counts = readonly ChainCount[];

const totalOf = (rows: Counts, part: "attempts" | "requests" | "degraded" | "retries") =>
  sum(rows.map((row) => row[part]));

function shareOf(rows: Counts, part: "attempts" | "requests", outcome: Outcome) {
  const counts: Partial<Record<Outcome, number>> = {};
  for (const row of rows) {
    const name = OUTCOMES[row.outcome];
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + row[part];
  }
  const { k, n } = countShare(counts, outcome);
  return toCell(k, n);
}

export function toFigures(rows: Counts): ReportFigures {
  return {
    requests: totalOf(rows, "requests"),
    attempts: totalOf(rows, "attempts"),
    success: shareOf(rows, "requests", "ok"),
    capacity: shareOf(rows, "attempts", "capacity"),
    requestCapacity: shareOf(rows, "requests", "capacity"),
    degraded: degradedOf(rows),
    retries: totalOf(rows, "retries"),
  };
}

/** Of answered requests: those that a later target of their chain answered. */
export function degradedOf(rows: Counts) {
  const answered = rows.filter(({ outcome }) => outcome === OK);
  return toCell(totalOf(answered, "degraded"), totalOf(answered, "requests"));
}

const nameOf = ({ provider, model, endpoint }: ChainCount) => ({ provider, model, endpoint });

/** Per chain how often a later target answered, and which. */
export function listDegradations(rows: Counts, before: Counts): ReportDocument["degradations"] {
  const ofChains = groupBy(
    rows.filter(({ chain }) => chain !== ""),
    ({ chain }) => chain,
  );
  return [...ofChains]
    .map(([chain, own]) => {
      const { k: degraded, n: answered } = degradedOf(own);
      const by = [...groupBy(own, targetKey).values()].map((ofTarget) => ({
        ...nameOf(ofTarget[0] as ChainCount),
        degraded: degradedOf(ofTarget).k,
      }));
      return {
        chain,
        answered,
        degraded,
        before: degradedOf(before.filter((row) => row.chain === chain)).rate,
        by: by.filter((one) => one.degraded > 0).sort((a, b) => b.degraded - a.degraded),
      };
    })
    .filter(({ answered }) => answered > 0)
    .sort((a, b) => b.degraded - a.degraded);
}

export function listTrouble(rows: Counts, before: Counts): ReportDocument["trouble"] {
  return TROUBLE.flatMap((outcome) => {
    const code = outcomeCode(outcome);
    const ofOutcome = (all: Counts) => all.filter((row) => row.outcome === code);
    const [now, then] = [ofOutcome(rows), ofOutcome(before)];
    return [...groupBy(now, targetKey)].map(([key, own]) => ({
      ...nameOf(own[0] as ChainCount),
      outcome,
      attempts: totalOf(own, "attempts"),
      requests: totalOf(own, "requests"),
      before: totalOf(
        then.filter((row) => targetKey(row) === key),
        "attempts",
      ),
    }));
  })
    .filter(({ attempts }) => attempts > 0)
    .sort((a, b) => b.attempts - a.attempts);
}

/** Of a target's attempts: from here on its own limit is what stands in the way. */
const LIMITED_FROM = 0.01;
const LEAST_LIMITED = 5;

/** Whether more quota would help: where the account's own limits refuse calls. */
export function judgeQuota(rows: Counts): ReportDocument["quota"] {
  const reasons = [...groupBy(rows, targetKey).values()].flatMap((own) =>
    (["quota", "rate_limit"] as const).flatMap((outcome) => {
      const k = totalOf(
        own.filter((row) => row.outcome === outcomeCode(outcome)),
        "attempts",
      );
      const share = k / Math.max(1, totalOf(own, "attempts"));
      return k >= LEAST_LIMITED && share >= LIMITED_FROM
        ? [{ ...nameOf(own[0] as ChainCount), outcome, share }]
        : [];
    }),
  );
  return {
    verdict: reasons.length > 0 ? "raise" : "fine",
    reasons: reasons.sort((a, b) => b.share - a.share),
  };
}
