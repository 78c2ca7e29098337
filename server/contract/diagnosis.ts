import { z } from "zod";
import * as query from "./query.ts";
import { cell, instant, outcome, outcomeCounts, range } from "./share.ts";

export const locale = z.enum(["en", "zh"]).default("en").describe("Language of the words.");

export const diagnosisQuery = z.object({
  ...query.project,
  episode: z.coerce
    .number()
    .int()
    .positive()
    .max(Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("Number of an episode; it stands for target and range."),
  provider: query.seriesFilter.provider,
  model: query.seriesFilter.model,
  endpoint: query.seriesFilter.endpoint,
  ...query.timeRange,
  ...query.zone,
  locale,
});

const name = { provider: z.string(), model: z.string(), endpoint: z.string() };
const says = z.string().describe("The finding as a sentence.");
const asks = z.string().describe("What the step asks.");
const clock = z.string().regex(/^(?:[01]\d|2[0-3]):00$/);

export const kindStep = z.object({
  step: z.literal("kind"),
  verdict: z
    .enum(["capacity", "other", "none", "tooFew"])
    .describe("capacity: most failures found no room. other: another outcome is more frequent."),
  capacity: cell.describe("Share of attempts that found no room."),
  usual: cell.describe("The same at the same hours of the four weeks before."),
  failures: outcomeCounts.describe("Attempts by how they failed."),
  leading: outcome.nullable().describe("The most frequent failure."),
  asks,
  says,
});

export const trafficStep = z.object({
  step: z.literal("traffic"),
  verdict: z.enum(["grew", "usual", "fell", "unknown"]).describe("unknown: not called a week earlier."),
  perHour: z.number().describe("First attempts of requests, an hour."),
  usualPerHour: z.number().nullable().describe("The same at the same hours of the weeks before."),
  weeks: z.number().int().describe("How many weeks that is the mean of."),
  asks,
  says,
});

export const attemptsStep = z.object({
  step: z.literal("attempts"),
  verdict: z
    .enum(["storm", "normal", "unknown"])
    .describe("storm: half as many repeats at the same target as requests. unknown: no request ids."),
  perRequest: z.number().nullable().describe("Attempts at the target of one request."),
  usualPerRequest: z.number().nullable().describe("The same in the day before."),
  unlinked: z.number().describe("Attempts without a request id: their repeats are not seen."),
  layers: z
    .array(
      z.object({
        source: z.string(),
        chain: z.string().describe("Empty: repeated by a client or the app, not by a router."),
        requests: z.number(),
        attempts: z.number(),
        perRequest: z.number(),
      }),
    )
    .describe("Who repeats, most repeats first."),
  asks,
  says,
});

export const concurrencyStep = z.object({
  step: z.literal("concurrency"),
  verdict: z
    .enum(["tooHigh", "innocent", "unknown"])
    .describe("tooHigh: errors begin at a level of own calls. unknown: too few attempts say it."),
  atOnceP50: z.number().nullable().describe("Own calls to the target at once, the new one counted."),
  atOnceMost: z.number().nullable(),
  level: z.number().int().nullable().describe("At so many at once errors begin."),
  below: cell.nullable().describe("Share of attempts below the level."),
  from: cell.nullable().describe("Share of attempts at the level and above."),
  asks,
  says,
});

export const scopeStep = z.object({
  step: z.literal("scope"),
  verdict: z
    .enum(["endpoint", "model", "provider", "everything", "nothing", "unknown"])
    .describe("How far it reached. nothing: no target was short. unknown: nothing else was called enough."),
  targets: z
    .array(z.object({ ...name, capacity: cell, usual: cell, isShort: z.boolean(), isAsked: z.boolean() }))
    .describe("Every target with 20 calls in the range, the worst first."),
  asks,
  says,
});

export const elsewhereStep = z.object({
  step: z.literal("elsewhere"),
  verdict: z.enum(["both", "model", "hour", "neither"]).describe("What would have worked."),
  model: z
    .object({ ...name, capacity: cell })
    .nullable()
    .describe("The target with most room at the time."),
  hour: z
    .object({ from: instant, to: instant, capacity: cell })
    .nullable()
    .describe("The nearest hour within a day in which the same target had room."),
  window: z
    .object({ days: z.array(z.string()), from: clock, to: clock, expected: z.number() })
    .nullable()
    .describe("Where its busy hours repeat: when to run what can wait, by what was known then."),
  asks,
  says,
});

export const diagnosisStep = z.discriminatedUnion("step", [
  kindStep,
  trafficStep,
  attemptsStep,
  concurrencyStep,
  scopeStep,
  elsewhereStep,
]);

export const CAUSES = [
  "none",
  "tooFew",
  "notCapacity",
  "ownTraffic",
  "ownRetries",
  "ownConcurrency",
  "asUsual",
  "endpoint",
  "model",
  "provider",
  "everything",
  "unclear",
] as const;

export const REMEDIES = [
  "nothing",
  "gather",
  "mendFailure",
  "spreadLoad",
  "retryLess",
  "fewerAtOnce",
  "useOther",
  "moveToWindow",
  "waitOut",
  "addProvider",
] as const;

export const diagnosisAnswer = z
  .object({
    zone: z.string(),
    range,
    episode: z.number().int().nullable(),
    provider: z.string().nullable(),
    model: z.string().nullable().describe("null: all that were called."),
    endpoint: z.string().nullable(),
    cause: z.enum(CAUSES).describe("The first step that explains it."),
    sentence: z.string(),
    steps: z.array(diagnosisStep).length(6).describe("In the order in which to look."),
    recoveryMinutes: z
      .number()
      .nullable()
      .describe("Half of the target's episodes of four weeks were over by then; null without one."),
    remedies: z
      .array(z.object({ remedy: z.enum(REMEDIES), says }))
      .describe("What to do, the first thing first."),
  })
  .meta({ id: "Diagnosis" });

export type StepName = DiagnosisStep["step"];
export type Locale = z.infer<typeof locale>;
export type Diagnosis = z.infer<typeof diagnosisAnswer>;
export type DiagnosisStep = z.infer<typeof diagnosisStep>;
export type KindStep = z.infer<typeof kindStep>;
export type TrafficStep = z.infer<typeof trafficStep>;
export type AttemptsStep = z.infer<typeof attemptsStep>;
export type ConcurrencyStep = z.infer<typeof concurrencyStep>;
export type ScopeStep = z.infer<typeof scopeStep>;
export type ElsewhereStep = z.infer<typeof elsewhereStep>;
export type Cause = Diagnosis["cause"];
export type Remedy = Diagnosis["remedies"][number]["remedy"];
