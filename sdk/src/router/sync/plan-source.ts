import type { PlanStore } from "./plan-store.ts";

/** Something that keeps the published plan from coming. Each code is told once in a router's life. */
export interface PlanSourceProblem {
  readonly code: "bad_setting" | "unreachable" | "unauthorized" | "not_busyhour" | "refused" | "store";
  /** What happened, for people. */
  readonly message: string;
}

/** Where a router gets its plan from: `createRouter({ plan: { url, key } })`. */
export interface PlanSource {
  /** Address of the Busyhour server, such as `https://busyhour.example.com`; it may end in a path. */
  readonly url: string;
  /** A key of kind `ingest` or `read`. */
  readonly key: string;
  /**
   * Keeps the last good plan, so that a start without the server goes by it: `createPlanFile` of `@busyhour/sdk/spool`, or
   * one of your own. Without one such a start goes by the chain in code.
   */
  readonly store?: PlanStore | undefined;
  /** Name of this router among the running ones. By default a UUID. */
  readonly instance?: string | undefined;
  /** Hears of problems instead of `console.warn`. */
  readonly onProblem?: ((problem: PlanSourceProblem) => void) | undefined;
  /**
   * Asks instead of the runtime's own means. In Node these keep no process alive; a `fetch` that waits for news does, until
   * `router.close()`.
   */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** Whether what was given as a plan says where to get one. */
export function isPlanSource(plan: object): plan is PlanSource {
  return "url" in plan;
}

/** The address below which the routes are, without a slash at the end; or what is wrong with the settings. */
export function readPlanSource({ url, key }: PlanSource): { base: string } | { fault: string } {
  if (typeof url !== "string" || !URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    return { fault: `plan.url must be the server's http(s) address, but it is ${quote(url)}` };
  if (typeof key !== "string" || !/^[\x21-\x7e]+$/.test(key.trim()))
    return { fault: "plan.key must be an ingest or a read key, but it is missing" };
  const { origin, pathname } = new URL(url);
  return { base: `${origin}${pathname.replace(/\/+$/, "").replace(/\/v1(?:\/plan)?$/, "")}` };
}

const quote = (value: unknown) => (typeof value === "string" ? `“${value.slice(0, 100)}”` : typeof value);
