import { z } from "zod";
import { clock, day, share, week } from "./advice.ts";
import * as query from "./query.ts";
import { instant } from "./share.ts";

export const ordersQuery = z.object({
  ...query.project,
  chain: query.seriesFilter.chain.describe("Only this chain, as routers report it."),
  targets: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      "A chain to look at instead: provider/model or provider/model@endpoint, best first, `,` between equally good ones and `>` before a lesser tier; names percent-encoded.",
    ),
  ...query.zone,
  asOf: z.string().max(64).optional().describe("As in /api/advice."),
  attempts: z.coerce
    .number()
    .int()
    .min(1)
    .max(10)
    .optional()
    .describe("Attempts that a request may take; the plan's, else 5, when left out."),
  deadlineMs: z.coerce
    .number()
    .int()
    .min(1_000)
    .max(600_000)
    .default(60_000)
    .describe("Within which a request must be answered."),
});

const ownAndAdvised = z
  .object({
    own: share.describe("In the order as it is."),
    advised: share,
    low: z.number().describe("In nine of ten weeks advised - own is between low and high."),
    high: z.number(),
  })
  .meta({ id: "OrderGain" });

export const orderTarget = z
  .object({
    id: z.string().nullable().describe("In the published plan; null where the chain is of none."),
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    tier: z.number().int().describe("0 is the best."),
    moreDays: z
      .number()
      .int()
      .describe("Days of calls that are missing to move it; 0 where there are enough."),
  })
  .meta({ id: "OrderTarget" });

export const orderBlock = z
  .object({
    days: z.array(day).min(1),
    from: clock,
    to: clock.describe("Past midnight where it is before from; a whole day where it is the same."),
    order: z.array(z.number().int()).describe("Places in targets, the first to be asked first."),
    firstTry: ownAndAdvised.describe("Requests that the first target answers within the deadline."),
    success: ownAndAdvised.describe("Requests that are answered within attempts and deadline."),
    topTier: z.object({ own: share, advised: share }).describe("Answers by targets of the best tier."),
    requestsPerWeek: z.number().describe("Requests of the chain in these hours."),
  })
  .meta({ id: "OrderBlock" });

export const chainOrders = z
  .object({
    chain: z.string().describe("Empty where targets were given."),
    verdict: z.enum(["advise", "noGain", "tooLittleData", "noPattern"]),
    attempts: z.number().int(),
    targets: z.array(orderTarget).describe("In the order in which they are asked now."),
    blocks: z.array(orderBlock).describe("At most three; outside of them the order stays."),
    backtest: z
      .array(
        z.object({
          week,
          firstTry: z.object({ own: share, advised: share }),
          success: z.object({ own: share, advised: share }),
        }),
      )
      .describe("The same rule run before each earlier week, with what that week brought; newest first."),
  })
  .meta({ id: "ChainOrders" });

export const ordersAnswer = z
  .object({
    asOf: instant,
    zone: z.string(),
    deadlineMs: z.number().int(),
    chains: z.array(chainOrders),
  })
  .meta({ id: "Orders" });

export type Orders = z.infer<typeof ordersAnswer>;
export type ChainOrders = z.infer<typeof chainOrders>;
