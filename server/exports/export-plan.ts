import type { PLAN_FORMATS } from "../contract/exports.ts";
import type { PlanDocument } from "../contract/plan.ts";
import { AppError } from "../http/app-error.ts";
import { invalidQuery } from "../http/parse.ts";
import type { At, ExportedFile, WriteChain } from "./format.ts";
import { writeLitellm } from "./litellm.ts";
import { writeOwnJson } from "./own-json.ts";
import { writePortkey } from "./portkey.ts";
import { writeOpenRouter, writeVercel } from "./request-options.ts";
import { findEntryAt, viewChain } from "./view-chain.ts";

type PlanFormat = (typeof PLAN_FORMATS)[number];

const WRITERS: Readonly<Record<Exclude<PlanFormat, "json">, WriteChain>> = {
  litellm: writeLitellm,
  portkey: writePortkey,
  openrouter: writeOpenRouter,
  vercel: writeVercel,
};

export interface ExportChoice {
  readonly format: PlanFormat;
  /** `undefined`: the only chain, or `default`. */
  readonly chain: string | undefined;
  /** `base`, `blend`, `now` or the place of an entry of the schedule. */
  readonly at: string | undefined;
}

/**
 * A plan as another gateway reads it.
 *
 * @throws AppError 422 where the choice names what is not there, 409 where the plan has nothing to write
 */
export function exportPlan(
  plan: PlanDocument,
  { format, chain, at }: ExportChoice,
  nowMs: number,
): ExportedFile {
  if (format === "json") return writeOwnJson(plan);
  const names = Object.keys(plan.chains);
  if (names.length === 0)
    throw new AppError({
      status: 409,
      code: "nothing_to_export",
      title: "There is no chain to export",
      detail: "Publish a plan that names the targets of a chain: see docs/plans.md.",
    });
  const name = chain ?? (names.length === 1 ? names[0] : "default") ?? "";
  if (!names.includes(name))
    throw invalidQuery([
      { pointer: "?chain", detail: `must be one of the plan's chains: ${names.join(", ")}` },
    ]);
  const view = viewChain(plan, name, readAt(plan, name, at, nowMs));
  if (view === null)
    throw new AppError({
      status: 409,
      code: "nothing_to_export",
      title: "The plan does not name the chain's targets",
      detail: `They are in the router's code. Name them in chain ${name} of the plan.`,
    });
  return WRITERS[format](view, plan);
}

function readAt(plan: PlanDocument, chain: string, at: string | undefined, nowMs: number): At {
  if (at === undefined || at === "base") return { kind: "base" };
  if (at === "blend") return { kind: "blend" };
  const schedule = plan.chains[chain]?.schedule ?? [];
  if (at === "now") {
    const place = findEntryAt(schedule, plan.timeZone, nowMs);
    return place === null ? { kind: "base" } : { kind: "entry", place };
  }
  const place = Number(at);
  if (/^\d+$/.test(at) && place < schedule.length) return { kind: "entry", place };
  const entries = schedule.length === 0 ? "" : `, or a number below ${schedule.length}`;
  throw invalidQuery([{ pointer: "?at", detail: `must be base, now or blend${entries}` }]);
}
