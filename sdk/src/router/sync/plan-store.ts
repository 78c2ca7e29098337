/** Where the last good plan is kept while a process does not run. */
export interface PlanStore {
  /**
   * What was written last; `null` when there is nothing. Where it is not a promise, already the first request goes by the
   * plan.
   */
  read(): string | null | Promise<string | null>;
  /** Replaces it whole: a reader finds the old text or the new one, never a part. */
  write(text: string): void | Promise<void>;
}

/** A plan as it is kept, with what the server tells it by. */
export interface KeptPlan {
  readonly etag: string | null;
  readonly plan: unknown;
}

/** @param chain so that two routers that share a store by mistake do not take each other's plan */
export function formatKeptPlan(chain: string, { etag, plan }: KeptPlan): string {
  return `${JSON.stringify({ chain, etag, plan }, null, 1)}\n`;
}

/** @returns the plan, or why it cannot be used */
export function parseKeptPlan(text: string, chain: string): KeptPlan | { readonly fault: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { fault: "what is kept of the plan is no JSON" };
  }
  const { chain: whose, etag, plan } = (value ?? {}) as Record<string, unknown>;
  if (typeof plan !== "object" || plan === null) return { fault: "there is no plan in what is kept of it" };
  if (whose !== chain)
    return { fault: `what is kept is the plan of the chain “${String(whose)}”, and this is “${chain}”` };
  return { etag: typeof etag === "string" ? etag : null, plan };
}
