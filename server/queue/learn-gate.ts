import type { Sql } from "../../db/connect.ts";
import { readHistories } from "../advice/advice.ts";
import { daysMissing } from "../advice/advise-target.ts";
import type { KeptAnswers } from "../advice/kept/kept-answers.ts";
import { findPlanVersion } from "../advice/kept/queries.ts";
import { type TargetName, targetKey } from "../advice/target-history.ts";
import type { Advice, TargetAdviceAnswer } from "../contract/advice.ts";
import { WEEKDAYS } from "../contract/plan.ts";
import { type StoredPlan, toPublished } from "../plans/published.ts";
import { HOURS, WEEK_HOURS } from "../profile/day-hours.ts";
import { floorTo, HOUR_MS } from "../rollup/levels.ts";
import type { LearntTarget } from "./decide-gate.ts";
import { type GateRow, type Learnt, listChainTargets } from "./gate-queries.ts";

/** What is known of the hours of a gate's targets. */
export interface GateLearning {
  readonly learnt: Learnt;
  readonly rates: readonly number[] | null;
}

export interface LearnDeps {
  readonly readSql: Sql;
  readonly kept: KeptAnswers;
  readonly findPlan: (projectId: number, version: number) => Promise<StoredPlan | null>;
}

/** Length of the windows that the pages ask for first: their answer is kept. */
const WINDOW_HOURS = 3;

/** Learns what gates of one project want to know, the common part once. Made anew for each run. */
export function createGateLearner(
  { readSql, kept, findPlan }: LearnDeps,
  projectId: number,
  zone: string,
  nowMs: number,
) {
  let advice: Promise<Advice> | null = null;
  let planVersion: Promise<number> | null = null;
  const ratesOf = new Map<string, Promise<Map<string, readonly number[]>>>();

  const askAdvice = () => {
    advice ??= kept.ask(
      projectId,
      { of: "windows", query: { zone, hours: WINDOW_HOURS, allowed: undefined } },
      nowMs,
    );
    return advice;
  };
  const askPlanVersion = () => {
    planVersion ??= findPlanVersion(readSql, projectId, nowMs);
    return planVersion;
  };

  /** Expected share by hour of week of each target of a model that has calls enough. */
  function askRates(model: string, asOfMs: number) {
    let asked = ratesOf.get(model);
    if (asked === undefined) {
      asked = readHistories(readSql, { projectId, filter: { model }, zone, asOfMs }).then(
        ({ histories, endDay }) =>
          new Map(
            histories
              .filter((history) => daysMissing(history, endDay) === 0)
              .map((history) => [targetKey(history), history.profileOn(endDay).rates]),
          ),
      );
      ratesOf.set(model, asked);
    }
    return asked;
  }

  /** Targets of a chain by the plan in force, else those that were called for it. */
  async function listPlanned(chain: string, version: number): Promise<TargetName[]> {
    const stored = version === 0 ? null : await findPlan(projectId, version);
    const planned = toPublished(stored, chain).plan.chains[chain]?.targets ?? [];
    if (planned.length > 0)
      return planned.map(({ provider, model, endpoint }) => ({ provider, model, endpoint: endpoint ?? "" }));
    return listChainTargets(readSql, projectId, chain);
  }

  async function listTargets(gate: GateRow, known: readonly TargetName[]): Promise<TargetName[]> {
    const wanted = gate.chain === "" ? [gate] : await listPlanned(gate.chain, await askPlanVersion());
    // An endpoint that is left out is each one that is known.
    return wanted.flatMap(({ provider, model, endpoint }) => {
      const fitting = known.filter(
        (one) =>
          one.provider === provider && one.model === model && (endpoint === "" || one.endpoint === endpoint),
      );
      return fitting.length > 0 ? fitting : [{ provider, model, endpoint }];
    });
  }

  return {
    /** Whether what a gate knows still holds. */
    async isFresh({ learnt }: GateRow): Promise<boolean> {
      return (
        learnt !== null &&
        learnt.zone === zone &&
        floorTo(learnt.madeMs, HOUR_MS) === floorTo(nowMs, HOUR_MS) &&
        learnt.planVersion === (await askPlanVersion())
      );
    },
    async learn(gate: GateRow): Promise<GateLearning> {
      const answer = await askAdvice();
      const targets = await listTargets(gate, answer.targets);
      const byKey = new Map(answer.targets.map((target) => [targetKey(target), target]));
      const learnt: Learnt = {
        madeMs: nowMs,
        zone,
        planVersion: await askPlanVersion(),
        targets: targets.map((target) => ({
          provider: target.provider,
          model: target.model,
          endpoint: target.endpoint,
          ...toLearnt(byKey.get(targetKey(target))),
        })),
        calmSinceMs: gate.learnt?.calmSinceMs ?? null,
      };
      const asOfMs = Date.parse(answer.asOf);
      const rates: (readonly number[])[] = [];
      for (const target of targets) {
        const own = (await askRates(target.model, asOfMs)).get(targetKey(target));
        if (own !== undefined) rates.push(own);
      }
      return { learnt, rates: leastOf(rates) };
    },
  };
}

/** By hour of week the share of the target with most room; `null`: none is known. */
function leastOf(rates: readonly (readonly number[])[]): number[] | null {
  if (rates.length === 0) return null;
  return Array.from({ length: WEEK_HOURS }, (_, hour) => Math.min(...rates.map((own) => own[hour] ?? 1)));
}

function toLearnt(advised: TargetAdviceAnswer | undefined): LearntTarget {
  if (advised === undefined) return { verdict: "tooLittleData", windows: [] };
  return {
    verdict: advised.verdict,
    windows: advised.windows.map(({ days, from, to, expected }) => {
      const opens = Number.parseInt(from, 10);
      const lengthHours = (Number.parseInt(to, 10) - opens + HOURS) % HOURS || HOURS;
      return { days: days.map((day) => WEEKDAYS.indexOf(day)), from: opens, lengthHours, expected };
    }),
  };
}
