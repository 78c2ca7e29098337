import { z } from "zod";
import { isWholeText } from "./attempt-event.ts";
import { instant } from "./share.ts";

const text = (max: number) =>
  z.string().min(1).max(max).refine(isWholeText, "holds U+0000 or half of a surrogate pair");
const count = z.int().min(0).max(1_000_000_000);
const version = z.int().min(0).max(1_000_000_000);
const epochMs = z.number().min(0).max(4_102_444_800_000);
const share = z.number().min(0).max(1);

export const targetHealth = z
  .object({
    target: text(200),
    state: z.enum(["ready", "busy", "resting", "unavailable"]),
    score: share.describe("Expected share of successes of the next attempts."),
    circuit: z.enum(["closed", "open", "halfOpen"]),
    inFlight: count,
    limit: z.number().min(0).max(1_000_000_000).describe("Own calls at once that are allowed now."),
    heldUntil: epochMs.nullable().describe("Epoch milliseconds; null: it is not held."),
  })
  .meta({ id: "TargetHealth" });

const problem = z.object({
  pointer: z.string().max(500).refine(isWholeText),
  detail: z.string().max(1_000).refine(isWholeText),
  isRefused: z.boolean().describe("The plan as a whole was refused."),
});

/** What a running router says of itself. */
export const heartbeat = z
  .object({
    instance: text(100).describe("Made by the router when it begins; a UUID is best."),
    chain: text(200),
    source: text(100).nullish().describe("The app or service."),
    sdkVersion: text(50).nullish(),
    startedAt: epochMs,
    planVersion: version.nullable().describe("In force; null: the chain in code."),
    problems: z.array(problem).max(50).default([]).describe("What it could not use of the plan it got last."),
    targets: z.array(targetHealth).max(200).default([]),
  })
  .meta({ id: "RouterHeartbeat" });

export const routerInstance = z
  .object({
    instance: z.string(),
    chain: z.string(),
    source: z.string().nullable(),
    sdkVersion: z.string().nullable(),
    startedAt: instant,
    lastSeenAt: instant,
    planVersion: z.int().nullable(),
    planSince: instant.nullable().describe("When it was first seen with this version."),
    state: z
      .enum(["current", "pending", "behind", "silent"])
      .describe(
        "current: it runs the published version. pending: published less than 15 s ago. behind: not taken up since. silent: not heard of for 45 s.",
      ),
    problems: z.array(problem),
    targets: z.array(targetHealth),
  })
  .meta({ id: "RouterInstance" });

export const routersAnswer = z
  .object({
    published: z.object({ version: z.int(), publishedAt: instant }).nullable(),
    routers: z.array(routerInstance).describe("Those heard of last first."),
  })
  .meta({ id: "Routers" });

export const rehearsedTarget = z
  .object({
    target: text(200),
    provider: text(200),
    model: text(200),
    passed: count,
    failed: count,
    latencyMsP50: z.number().min(0).max(1e9).nullable(),
    failures: z
      .array(
        z.object({
          case: text(200),
          reason: z.enum(["call", "output", "expectation"]),
          outcome: z
            .string()
            .max(50)
            .refine(isWholeText)
            .nullable()
            .describe("Of the last attempt, when it is the call that failed."),
        }),
      )
      .max(50)
      .default([])
      .describe("The first ones. What a model answered is not sent."),
  })
  .meta({ id: "RehearsedTarget" });

export const newRehearsal = z
  .object({
    chain: text(200),
    source: text(100).nullish(),
    sdkVersion: text(50).nullish(),
    planVersion: version.nullable(),
    startedAt: epochMs,
    durationMs: z.number().min(0).max(1e9),
    cases: count,
    isOk: z.boolean(),
    targets: z.array(rehearsedTarget).min(1).max(200),
  })
  .meta({ id: "NewRehearsal" });

export const rehearsal = newRehearsal
  .extend({
    id: z.int(),
    source: z.string().nullable(),
    sdkVersion: z.string().nullable(),
    startedAt: instant,
  })
  .meta({ id: "Rehearsal" });

export const rehearsalsAnswer = z
  .object({ rehearsals: z.array(rehearsal), next: z.string().nullable() })
  .meta({ id: "Rehearsals" });

export type Heartbeat = z.infer<typeof heartbeat>;
export type RouterInstance = z.infer<typeof routerInstance>;
export type Rehearsal = z.infer<typeof rehearsal>;
export type NewRehearsal = z.infer<typeof newRehearsal>;
