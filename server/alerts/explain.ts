import type { Logger } from "pino";
import type { Sql } from "../../db/connect.ts";
import type { KeptAnswers } from "../advice/kept/kept-answers.ts";
import type { Cause, Diagnosis } from "../contract/diagnosis.ts";
import type { Orders } from "../contract/orders.ts";
import { getDiagnosis } from "../diagnosis/diagnosis.ts";
import { DAY_MS, MINUTE_MS } from "../rollup/levels.ts";
import { adviseOrder } from "./advise-order.ts";
import type { Counting } from "./counting.ts";
import type { Explanation } from "./firing-alert.ts";
import type { Subject } from "./subject.ts";

export interface Trouble {
  readonly project: { readonly id: number; readonly timeZone: string };
  readonly subject: Subject;
  readonly of: Counting["of"];
  readonly outcomes: readonly string[];
  readonly sinceMs: number;
  readonly nowMs: number;
}

/** Likely cause and advised order. Never fails and never takes long: an alert without them is still one. */
export type Explain = (trouble: Trouble) => Promise<Explanation>;

/** What is not known by then is left out. */
const LIMIT_MS = 3_000;
/** Time before it began would hide what is wrong; a jump is found within a minute or two. */
const LEAST_MS = MINUTE_MS;
/** They say that none was found. */
const NO_CAUSE: readonly Cause[] = ["tooFew", "none", "notCapacity", "unclear"];

export interface ExplainDeps {
  readonly sql: Sql;
  readonly kept: Pick<KeptAnswers, "ask">;
  readonly log: Pick<Logger, "warn">;
  readonly limitMs?: number;
}

export function createExplain({ sql, kept, log, limitMs = LIMIT_MS }: ExplainDeps): Explain {
  async function guard<T>(what: string, work: () => Promise<T>): Promise<T | null> {
    try {
      return await within(limitMs, work());
    } catch (error) {
      log.warn({ err: error, what }, "an alert is told without an explanation");
      return null;
    }
  }
  return async (trouble) => {
    if (!trouble.outcomes.includes("capacity")) return { cause: null, order: null };
    const [diagnosis, orders] = await Promise.all([
      guard("cause", () => diagnose(sql, trouble)),
      guard("order", () => askOrders(kept, trouble)),
    ]);
    return {
      cause: diagnosis === null ? null : toCause(diagnosis),
      order: adviseOrder(trouble.subject, orders, diagnosis, trouble.nowMs),
    };
  };
}

function diagnose(
  sql: Sql,
  { project, subject: { provider, model, endpoint }, sinceMs, nowMs }: Trouble,
): Promise<Diagnosis> {
  const fromMs = Math.max(nowMs - DAY_MS, Math.min(sinceMs, nowMs - LEAST_MS));
  return getDiagnosis(
    sql,
    {
      projectId: project.id,
      filter: { provider, model, endpoint },
      range: { fromMs, toMs: nowMs },
      episode: null,
      zone: project.timeZone,
      locale: "en",
    },
    nowMs,
  );
}

/** What the pages ask, too: mostly it is there. */
function askOrders(kept: Pick<KeptAnswers, "ask">, { project, nowMs }: Trouble): Promise<Orders> {
  const query = { zone: project.timeZone, deadlineMs: 60_000 };
  return kept.ask(project.id, { of: "orders", query }, nowMs);
}

function toCause({ cause, steps }: Diagnosis): Explanation["cause"] {
  if (NO_CAUSE.includes(cause)) return null;
  const params: Record<string, string | number> = {};
  for (const step of steps) {
    if (step.step === "traffic" && cause === "ownTraffic") {
      params["perHour"] = step.perHour;
      if (step.usualPerHour !== null) params["usualPerHour"] = step.usualPerHour;
    }
    if (step.step === "attempts" && cause === "ownRetries" && step.perRequest !== null)
      params["perRequest"] = step.perRequest;
    if (step.step === "concurrency" && cause === "ownConcurrency" && step.level !== null)
      params["level"] = step.level;
  }
  return { code: cause, params };
}

class TooSlow extends Error {}

async function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new TooSlow(`took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    clearTimeout(timer);
    // Nobody waits for it any more: its failure is nobody's either.
    work.catch(() => {});
  }
}
