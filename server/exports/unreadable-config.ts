import type { z } from "zod";
import { type PlanChain, type PlanDocument, planDocument } from "../contract/plan.ts";

/** A configuration that cannot be read; the message says what is wrong and where. */
export class UnreadableConfig extends Error {
  constructor(message: string) {
    super(message);
    this.name = "UnreadableConfig";
  }
}

export function unreadable(issues: readonly z.core.$ZodIssue[]): UnreadableConfig {
  const faults = issues.slice(0, 5).map(({ path, message }) => `/${path.join("/")} ${message}`);
  return new UnreadableConfig(`is none that can be read:\n  ${faults.join("\n  ")}`);
}

/** A plan of chains that were read elsewhere, held against what a plan may be. */
export function toPlan(timeZone: string, chains: Readonly<Record<string, PlanChain>>): PlanDocument {
  const plan = planDocument.safeParse({ timeZone, chains });
  if (plan.success) return plan.data;
  throw unreadable(plan.error.issues);
}
