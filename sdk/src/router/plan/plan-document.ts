import type { RetryPolicy, Target } from "../types.ts";

/** A time of the week in the plan's zone: half open, may cross midnight, and belongs to the day that it opens. */
export interface PlanWindow {
  /** `mon` … `sun`. Absent: every day. */
  readonly days?: readonly Weekday[];
  /** `HH:MM`. */
  readonly from: string;
  /** `HH:MM`; `24:00` is the end of the day. Equal to `from`: a whole day. */
  readonly to: string;
}

export type Weekday = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";

/** A plan as a server publishes it. Fields that a router does not know are left alone. */
export interface PlanDocument {
  /** Counts up. */
  readonly version: number;
  /** IANA zone in which windows are read. */
  readonly timeZone: string;
  readonly chains: Readonly<Record<string, PlanChain>>;
}

export interface PlanChain {
  readonly targets?: readonly PlanTarget[];
  readonly floor?: string;
  /** In each window this order of ids; of two windows at once the first counts. Targets that it does not name follow. */
  readonly schedule?: readonly (PlanWindow & { readonly order: readonly string[]; readonly why?: unknown })[];
  readonly retry?: Partial<RetryPolicy>;
  /** Times in which a target is asked only when nothing else is left. */
  readonly avoid?: readonly { readonly target: string; readonly windows: readonly PlanWindow[] }[];
}

/** A plan writes targets as code does. */
export type PlanTarget = Target;

/** Something in a plan that was left out, or why the whole of it was refused. */
export interface PlanProblem {
  /** Where, as a JSON pointer: `/chains/default/targets/2`. */
  readonly pointer: string;
  /** What is wrong and what was done about it, for people. */
  readonly detail: string;
  /** Whether the plan as a whole was refused. */
  readonly isRefused: boolean;
}
