import type { Actor } from "../../db/schema/columns.ts";
import { AppError } from "../http/app-error.ts";

export function noSuchPlan(): AppError {
  return new AppError({ status: 404, code: "no_such_plan", title: "There is no such version of the plan" });
}

export function wrongState(detail: string): AppError {
  return new AppError({
    status: 409,
    code: "plan_state",
    title: "This version cannot be published so",
    detail,
  });
}

interface Rival {
  readonly version: number;
  readonly reason: string | null;
  readonly publisher: Actor | null;
  readonly publishedAt: Date | null;
}

/** For the second of two editors: who published what, when and why. */
export function planConflict(published: Rival | null, basedOn: number): AppError {
  const detail =
    published === null
      ? `Nothing was published yet; this plan says that it was made from version ${basedOn}. Say 0.`
      : `Version ${published.version} was published by ${published.publisher?.name ?? "somebody"} at ${published.publishedAt?.toISOString()}${
          published.reason === null ? "" : `: “${published.reason}”`
        }. This plan was made from ${basedOn === 0 ? "none" : `version ${basedOn}`}. See what changed, make it part of yours, and publish that.`;
  return new AppError({
    status: 409,
    code: "plan_conflict",
    title: "Another plan was published in the meantime",
    detail,
  });
}
