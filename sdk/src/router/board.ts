import type { Link } from "./course.ts";
import { Deadlines } from "./deadlines.ts";
import { Line } from "./line.ts";
import { createGlobalBudget, type RetryBudget } from "./parts/retry-budget.ts";
import type { Slot } from "./parts/target-state.ts";
import { TargetState } from "./parts/target-state.ts";
import { type RouterSystem, realRouterSystem } from "./system.ts";
import type { Target } from "./types.ts";

/** A target that may be asked now, with the room that was taken at it. */
export interface Turn {
  readonly link: Link;
  readonly slot: Slot;
}

/** What routers know of targets. Share one between the routers of a process, and each learns from the others' calls. */
export interface Health {
  /** How many requests stand in line. */
  readonly waiting: number;
}

/** Everything that outlives a request: what is known of targets, the retry budget, the line. */
export class Board implements Health {
  readonly system: RouterSystem;
  readonly budget: RetryBudget = createGlobalBudget();
  readonly line: Line<Turn>;
  readonly deadlines: Deadlines;
  readonly #states = new Map<string, TargetState>();

  constructor(system: RouterSystem) {
    this.system = system;
    this.deadlines = new Deadlines(system);
    this.line = new Line(system, (nowMs) => this.#roomAt(nowMs));
  }

  get waiting(): number {
    return this.line.length;
  }

  /** Made when it is first asked for; kept per provider, model, endpoint and account. */
  stateOf({ provider, model, endpoint, account, maxConcurrency, requestsPerMinute }: Target): TargetState {
    const key = JSON.stringify([provider, model, endpoint ?? null, account ?? null]);
    let state = this.#states.get(key);
    if (state === undefined) {
      state = new TargetState(key);
      this.#states.set(key, state);
    }
    state.configure(maxConcurrency, requestsPerMinute, this.system.elapsed());
    return state;
  }

  /** When some target, whichever it is, has room for somebody, whoever it is. */
  #roomAt(nowMs: number): number {
    let soonest = Number.POSITIVE_INFINITY;
    for (const state of this.#states.values()) {
      const at = state.readyAt(nowMs, true, true);
      if (at <= nowMs) return nowMs;
      soonest = Math.min(soonest, at);
    }
    return soonest;
  }
}

/** Knowledge of targets for several routers: `createRouter({ health, … })`. */
export function createHealth(options: { readonly system?: RouterSystem } = {}): Health {
  return new Board(options.system ?? realRouterSystem);
}

/** @throws {TypeError} of anything that `createHealth` did not make */
export function toBoard(health: Health | undefined, system: RouterSystem): Board {
  if (health === undefined) return new Board(system);
  if (health instanceof Board) return health;
  throw new TypeError("health must come from createHealth() of this copy of @busyhour/sdk");
}
