import { z } from "zod";
import { instant } from "./share.ts";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
const CUSTOM = "custom";
const MAX_CHAINS = 50;
const MAX_VERSION = 1_000_000_000;

const text = z.string().min(1).max(200);
const clock = (pattern: RegExp, example: string) =>
  z.string().regex(pattern, `must be a time of day, like ${example}`);

/** A time of the week: from its start to before its end, read in the plan's zone. */
const windowShape = {
  days: z
    .array(z.enum(WEEKDAYS))
    .min(1)
    .max(7)
    .optional()
    .describe("Days on which it opens; every day when left out."),
  from: clock(/^(?:[01]\d|2[0-3]):[0-5]\d$/, "09:30"),
  to: clock(/^(?:(?:[01]\d|2[0-3]):[0-5]\d|24:00)$/, "17:00 or 24:00").describe(
    "Not in it any more. At or before from: past midnight.",
  ),
};

export const planTarget = z
  .looseObject({
    id: text.describe("Its name within the chain."),
    provider: text.describe("A key of the router's providers."),
    model: text,
    tier: text
      .optional()
      .describe("Targets of one tier are equally good to the caller. Its own id when left out."),
    endpoint: text.optional(),
    account: text.optional().describe("A label of the key or subscription that pays, never the key."),
    maxConcurrency: z.int().min(1).optional(),
    requestsPerMinute: z.number().min(1).optional(),
    quality: z.number().min(0).max(1).optional(),
  })
  .meta({ id: "PlanTarget" });

const retry = z.looseObject({
  maxAttempts: z.int().min(1).optional(),
  baseMs: z.number().min(0).optional(),
  capMs: z.number().min(0).optional(),
  totalWaitMs: z.number().min(0).optional(),
});

const scheduleEntry = z.looseObject({
  ...windowShape,
  order: z.array(text).min(1).max(100).describe("Ids of targets; the others follow as they stand."),
  why: z.unknown().optional().describe("The figures that it was made for."),
});

const avoidEntry = z.looseObject({
  target: text,
  windows: z.array(z.looseObject(windowShape)).min(1).max(200),
});

export const planChain = z
  .looseObject({
    targets: z.array(planTarget).min(1).max(100).optional().describe("The code's own when left out."),
    floor: text.optional().describe("Id of the last link, else a tier."),
    schedule: z.array(scheduleEntry).max(500).optional().describe("Of two windows at once the first counts."),
    retry: retry.optional(),
    avoid: z
      .array(avoidEntry)
      .max(100)
      .optional()
      .describe("When a target is asked only if nothing else is left."),
  })
  .meta({ id: "PlanChain" });

/** The plan as its shape alone makes it: what a router can read, and nothing that it would leave out. */
export const planShape = z.looseObject({
  version: z
    .int()
    .min(0)
    .max(MAX_VERSION)
    .optional()
    .describe("Given by the server. 0: nothing was published yet."),
  timeZone: z
    .string()
    .min(1)
    .max(64)
    .refine(isZone, "is no IANA time zone, like Europe/Berlin or Asia/Shanghai"),
  chains: z
    .record(text, planChain)
    .refine((chains) => Object.keys(chains).length <= MAX_CHAINS, `must hold at most ${MAX_CHAINS} chains`),
});

/** A plan that may be kept: also every target that it speaks of is there. Unknown fields are kept. */
export const planDocument = planShape.superRefine(checkNames).meta({ id: "PlanDocument" });

export type PlanDocument = z.infer<typeof planDocument>;
export type PlanChain = z.infer<typeof planChain>;
export type PlanTarget = z.infer<typeof planTarget>;

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}

function checkNames({ chains }: z.infer<typeof planShape>, context: z.RefinementCtx): void {
  for (const [name, { targets, floor, schedule = [], avoid = [] }] of Object.entries(chains)) {
    if (targets === undefined) continue;
    const ids = new Set(targets.map(({ id }) => id));
    const blame = (path: readonly (string | number)[], message: string) =>
      context.addIssue({ code: CUSTOM, path: ["chains", name, ...path], message });
    const list = [...ids].join(", ");
    const checkId = (id: string, ...path: (string | number)[]) => {
      if (!ids.has(id)) blame(path, `is no target of this chain; there are ${list}`);
    };
    for (const [at, { id }] of targets.entries()) {
      if (targets.findIndex((other) => other.id === id) < at)
        blame(["targets", at, "id"], "is the id of another target of this chain already");
    }
    if (floor !== undefined && !ids.has(floor) && !targets.some(({ tier }) => tier === floor))
      blame(["floor"], `is neither the id nor the tier of a target of this chain; there are ${list}`);
    for (const [at, { order }] of schedule.entries())
      for (const [place, id] of order.entries()) checkId(id, "schedule", at, "order", place);
    for (const [at, { target }] of avoid.entries()) checkId(target, "avoid", at, "target");
  }
}

/** What a router gets: the published plan, or version 0, in which there is nothing, before the first one. */
export const publishedPlan = planShape.extend({ version: z.int().min(0) }).meta({ id: "PublishedPlan" });

const actor = z.object({
  kind: z.enum(["person", "key", "token", "server"]),
  id: z.int().nullable(),
  name: z.string(),
});
const reason = z
  .string()
  .trim()
  .min(1)
  .max(500)
  .regex(/^\P{Cc}*$/u, "must be without control characters");
const version = z.int().min(1).max(MAX_VERSION);

export const planVersion = z
  .object({
    version: z.int(),
    state: z.enum(["draft", "published", "past"]).describe("published: in force. past: it was."),
    basedOn: z.int().nullable().describe("The published version that its author had seen; null: none."),
    copyOf: z.int().nullable().describe("The version that was published again by this one."),
    author: actor,
    publisher: actor.nullable(),
    reason: z.string().nullable().describe("Why it was published; of a draft, what it is for."),
    createdAt: instant,
    publishedAt: instant.nullable(),
  })
  .meta({ id: "PlanVersion" });

export const plansAnswer = z
  .object({ plans: z.array(planVersion), next: z.string().nullable() })
  .meta({ id: "Plans" });

export const planAnswer = z
  .object({ plan: planVersion.extend({ document: publishedPlan }).nullable() })
  .meta({ id: "Plan" });

export const planChange = z
  .object({
    kind: z.enum([
      "timeZone",
      "chainAdded",
      "chainRemoved",
      "targetAdded",
      "targetRemoved",
      "targetChanged",
      "order",
      "floor",
      "retry",
      "scheduleAdded",
      "scheduleRemoved",
      "avoidAdded",
      "avoidRemoved",
      "other",
    ]),
    chain: z.string().nullable(),
    subject: z
      .string()
      .nullable()
      .describe("Id of the target, name of the setting, or hours like mon–fri 10:00–16:00."),
    before: z.unknown().describe("null: it was not there."),
    after: z.unknown().describe("null: it is gone."),
  })
  .meta({ id: "PlanChange" });

export const planDiff = z
  .object({
    base: z.int().describe("0: before the first plan."),
    version: z.int(),
    changes: z.array(planChange),
  })
  .meta({ id: "PlanDiff" });

const basedOn = z
  .int()
  .min(0)
  .max(MAX_VERSION)
  .optional()
  .describe(
    "The published version that this one was made from, 0 for none: another one was published since → 409. Or If-Match.",
  );

export const newPlan = z
  .object({ document: planDocument, basedOn, reason: reason.optional().describe("What it is for.") })
  .meta({ id: "NewPlan" });

export const publication = z
  .object({
    document: planDocument.optional(),
    version: version.optional().describe("A draft, in place of a document."),
    basedOn,
    reason: reason.describe("Why; kept with the version."),
  })
  .refine(({ document, version }) => (document === undefined) !== (version === undefined), {
    path: ["document"],
    error: "must be there, or version in its place",
  })
  .meta({ id: "Publication" });

export const rollback = z
  .object({ version: version.describe("What to publish again."), basedOn, reason })
  .meta({ id: "PlanRollback" });

export type PlanVersion = z.infer<typeof planVersion>;
export type PublishedPlan = z.infer<typeof publishedPlan>;
export type PlanChange = z.infer<typeof planChange>;
