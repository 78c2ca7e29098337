import type { Outcome } from "../outcome.ts";

/**
 * What a failure means for the batch.
 *
 * - `wait`: they have no room for anybody: the item goes back, and it costs the item nothing.
 * - `again`: it may pass, and may as well be the item's own doing.
 * - `fail`: this item will not go well however often it is asked.
 * - `stop`: no item will, until somebody mends what is wrong.
 */
export type Verdict = "wait" | "again" | "fail" | "stop";

/** @param advisedMs the wait that was stated: a quota that says when it fills again is worth waiting for */
export function judge(outcome: Exclude<Outcome, "ok">, advisedMs: number | null): Verdict {
  switch (outcome) {
    case "capacity":
    case "rate_limit":
      return "wait";
    case "quota":
      return advisedMs === null ? "stop" : "wait";
    case "timeout":
    case "network":
    case "server_error":
      return "again";
    case "auth":
    case "permission":
    case "not_found":
      return "stop";
    default:
      return "fail";
  }
}

/** What ended a batch that no other item would survive, and what to mend. */
export function stopMessage(outcome: Outcome, said: string): string {
  const remedies: Partial<Record<Outcome, string>> = {
    auth: "The key is not accepted",
    quota: "The balance or quota is used up",
    permission: "The key has no right to this model",
    not_found: "There is no such model or address",
  };
  return `${remedies[outcome] ?? "No item can go well"} (${outcome}: ${said}). Mend it and run again: what is finished stays so`;
}
