import { OUTCOMES, type Rule } from "@busyhour/sdk";
import { z } from "zod";
import { instant, outcome } from "./share.ts";

const phrases = (what: string) => z.string().min(1).max(2_000).optional().describe(what);

/** A rule of a project's own, as plain data; the same as `Rule` of the SDK. */
export const classificationRule = z
  .strictObject({
    id: z
      .string()
      .max(100)
      .regex(/^[\w.-]+\/[\w.:-]+$/, "must be two words with a slash between, like our-proxy/nap")
      .describe("Who says it and what it means: our-proxy/nap."),
    outcome: z.enum(OUTCOMES.filter((name) => name !== "ok")).describe("What it is from now on."),
    because: z.string().min(1).max(300).describe("Why it means that, for a person."),
    code: phrases("Codes, types and reasons, whole, in any case, parted by blanks."),
    text: phrases("Phrases in whole words, parted by ` | `: `word*`, `a/b`, ` .. `."),
    also: phrases("Phrases of which one must be found besides."),
    unless: phrases("Phrases of which none may be found."),
    status: z
      .string()
      .regex(/^(?:[1-5]\d\d|[1-5]xx)(?: (?:[1-5]\d\d|[1-5]xx))*$/, "must be statuses, like 429 5xx")
      .max(100)
      .optional()
      .describe("HTTP statuses, parted by blanks: 429 5xx."),
    retryable: z.union([z.boolean(), z.literal("wait")]).optional(),
    scope: z.enum(["model", "account", "provider", "request"]).optional(),
    switchHelps: z.boolean().optional(),
  })
  .refine((rule) => rule.code !== undefined || rule.text !== undefined || rule.status !== undefined, {
    message: "must have code, text or status: else nothing makes it apply",
  })
  .meta({ id: "ClassificationRule" });

export const MAX_CLASSIFICATION_RULES = 200;

export const classificationRules = z
  .object({
    rules: z
      .array(classificationRule)
      .max(MAX_CLASSIFICATION_RULES)
      .refine((rules) => new Set(rules.map(({ id }) => id)).size === rules.length, {
        message: "must have ids that differ",
      })
      .describe("Asked in this order, before the rules that come with Busyhour."),
  })
  .meta({ id: "ClassificationRules" });

export const reclassifyRequest = z
  .object({
    from: z.string().max(64).optional(),
    to: z.string().max(64).optional(),
    dryRun: z.boolean().optional().describe("Count only, change nothing."),
    cursor: z.string().max(200).optional().describe("`next` of the answer before."),
  })
  .meta({ id: "ReclassifyRequest" });

export const reclassifyAnswer = z
  .object({
    examined: z.int().describe("Attempts whose outcome was named here, and not by their sender."),
    changes: z
      .array(z.object({ from: outcome, to: outcome, attempts: z.int() }))
      .describe("Attempts that have another outcome now, or would have."),
    reached: instant.nullable().describe("Time of the last attempt that was looked at."),
    next: z.string().nullable().describe("Call again with it as `cursor` to go on; null at the end."),
  })
  .meta({ id: "Reclassification" });

export type ClassificationRules = z.infer<typeof classificationRules>;
export type ReclassifyAnswer = z.infer<typeof reclassifyAnswer>;

export type ClassificationRule = z.infer<typeof classificationRule>;

/** Every rule that is stored is one that the SDK takes; a change that breaks this does not compile. */
type Whole<T> = { [K in keyof T]-?: NonNullable<T[K]> };
export type RuleIsTaken = Whole<ClassificationRule> extends Whole<Rule> ? true : never;
export const ruleIsTaken: RuleIsTaken = true;
