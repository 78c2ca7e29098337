import type { PlanChain, PlanDocument, PlanTarget } from "../contract/plan.ts";

/** What a format cannot say of a plan. The words are in `losses.ts`. */
export type Loss =
  | "schedule"
  | "avoid"
  | "otherChains"
  | "tiers"
  | "quality"
  | "waits"
  | "attempts"
  | "concurrency"
  | "requestsPerMinute"
  | "accounts"
  | "endpoints"
  | "floor"
  | "keys"
  | "changes"
  | "cronZone"
  | "command";

/** Which order of a plan is written where a format knows no hours. */
export type At = { readonly kind: "base" | "blend" } | { readonly kind: "entry"; readonly place: number };

export interface ChainView {
  readonly name: string;
  readonly chain: PlanChain;
  /** In the order that is written, the floor last. */
  readonly targets: readonly PlanTarget[];
  /** Place of the first one of the floor in `targets`; `null` without one. */
  readonly floorFrom: number | null;
  /** By place: share of the week in which it is asked first. Only where orders are blended. */
  readonly weights: readonly number[] | null;
}

export interface ExportedFile {
  readonly fileName: string;
  readonly mediaType: string;
  readonly content: string;
  readonly losses: readonly Loss[];
}

/** Writes one chain of a plan as another gateway reads it. */
export type WriteChain = (view: ChainView, plan: PlanDocument) => ExportedFile;

/** Losses that a chain has only where it has the field. */
export function lossesOf(view: ChainView, { chains }: PlanDocument, unable: readonly Loss[]): Loss[] {
  const { chain, targets, floorFrom } = view;
  const has = (field: keyof PlanTarget) => targets.some((target) => target[field] !== undefined);
  const present: Readonly<Record<Loss, boolean>> = {
    schedule: (chain.schedule ?? []).length > 0 && view.weights === null,
    avoid: (chain.avoid ?? []).length > 0,
    otherChains: Object.keys(chains).length > 1,
    tiers: has("tier"),
    quality: has("quality"),
    waits:
      chain.retry?.capMs !== undefined ||
      chain.retry?.totalWaitMs !== undefined ||
      chain.retry?.baseMs !== undefined,
    attempts: chain.retry?.maxAttempts !== undefined,
    concurrency: has("maxConcurrency"),
    requestsPerMinute: has("requestsPerMinute"),
    accounts: has("account"),
    endpoints: has("endpoint"),
    floor: floorFrom !== null,
    keys: true,
    changes: true,
    cronZone: true,
    command: true,
  };
  return unable.filter((loss) => present[loss]);
}
