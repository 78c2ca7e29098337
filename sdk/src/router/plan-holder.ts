import type { Board } from "./board.ts";
import { type Course, makeCourse, mergePlan, type Rules, rulesOf } from "./course.ts";
import type { PlanProblem } from "./plan/plan-document.ts";
import { readPlan } from "./plan/read-plan.ts";
import type { RouterOptions } from "./types.ts";

type PlanOptions = Pick<
  RouterOptions<unknown, unknown>,
  "chain" | "locked" | "guardPlan" | "onPlanProblem"
> & { readonly providers: Readonly<Record<string, unknown>> };

type Tell = (problem: PlanProblem) => void;

export interface AppliedPlan {
  /** Whether the plan is in force now. */
  readonly isTaken: boolean;
  readonly problems: readonly PlanProblem[];
}

/** Holds the rules in force, and the course that they make of this minute. */
export class PlanHolder {
  readonly #options: PlanOptions;
  readonly #board: Board;
  #rules: Rules;
  #course: Course | null = null;
  #minute = Number.NaN;

  constructor(options: PlanOptions, board: Board) {
    this.#options = options;
    this.#board = board;
    this.#rules = rulesOf(options.chain);
  }

  /** What a request that begins now goes by. Made anew at most once a minute: windows open and close on minutes. */
  course(): Course {
    const nowMs = this.#board.system.now();
    const minute = Math.floor(nowMs / 60_000);
    if (this.#course === null || minute !== this.#minute) {
      this.#course = makeCourse(this.#rules, nowMs, (target) => this.#board.stateOf(target));
      this.#minute = minute;
    }
    return this.#course;
  }

  /** What is wrong with the plan is told to `onPlanProblem`, and given back. */
  apply(document: unknown): AppliedPlan {
    const problems: PlanProblem[] = [];
    const isTaken = this.#take(document, (problem) => {
      problems.push(problem);
      this.#tell(problem);
    });
    return { isTaken, problems };
  }

  #take(document: unknown, tell: Tell): boolean {
    const plan = readPlan(document, tell);
    if (plan === null) return false;
    const { chain, locked, guardPlan } = this.#options;
    const name = chain.name ?? "default";
    const merged = mergePlan(chain, plan, locked ?? []);
    try {
      const guarded = guardPlan === undefined ? merged.chain : guardPlan(merged.chain);
      const known = this.#withoutStrangers(guarded.targets, `/chains/${name}/targets`, tell);
      if (known.length === 0) {
        const detail =
          "no target is left whose provider the code knows; the plan is refused, and what was in force goes on";
        tell({ pointer: `/chains/${name}/targets`, detail, isRefused: true });
        return false;
      }
      this.#rules = { ...merged, chain: { ...guarded, targets: known } };
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      tell({
        pointer: `/chains/${name}`,
        detail: `guardPlan refused the plan: ${why}`,
        isRefused: true,
      });
      return false;
    }
    this.#course = null;
    this.#warnOfNames(name, tell);
    return true;
  }

  #withoutStrangers(targets: Rules["chain"]["targets"], pointer: string, tell: Tell) {
    const providers = this.#options.providers;
    return targets.filter(({ id, provider }, at) => {
      if (Object.hasOwn(providers, provider)) return true;
      const detail = `target “${id}” is of provider “${provider}”, for which the code has no call function; it is left out`;
      tell({ pointer: `${pointer}/${at}/provider`, detail, isRefused: false });
      return false;
    });
  }

  /** Orders and windows may name targets that are not there: harmless, but rarely meant. */
  #warnOfNames(name: string, tell: Tell): void {
    const { chain, schedule, avoid } = this.#rules;
    const ids = new Set(chain.targets.map(({ id }) => id));
    const warn = (pointer: string, id: string) => {
      if (ids.has(id)) return;
      tell({
        pointer: `/chains/${name}${pointer}`,
        detail: `there is no target “${id}”; it is passed over`,
        isRefused: false,
      });
    };
    for (const [at, { order }] of schedule.entries()) {
      for (const id of order) warn(`/schedule/${at}/order`, id);
    }
    for (const [at, { target }] of avoid.entries()) warn(`/avoid/${at}/target`, target);
  }

  #tell(problem: PlanProblem): void {
    const { onPlanProblem } = this.#options;
    try {
      if (onPlanProblem !== undefined) onPlanProblem(problem);
      // biome-ignore lint/suspicious/noConsole: a plan that cannot be used must not go unnoticed
      else console.warn(`busyhour: plan ${problem.pointer}: ${problem.detail}`);
    } catch {
      // Whoever hears of problems never disturbs requests.
    }
  }
}
