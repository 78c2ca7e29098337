import { z } from "zod";
import { planDocument } from "./plan.ts";
import { instant } from "./share.ts";

const share = z.number().min(0).max(1);

export const replayRequest = z
  .object({
    document: planDocument,
    chain: z.string().min(1).max(200).optional().describe("This one alone."),
  })
  .meta({ id: "ReplayRequest" });

const figures = z.object({
  success: share.describe("Requests that some target of the chain would have answered."),
  capacityShare: share.describe("Attempts that would have found no room."),
  firstTierShare: share.describe("Requests that a target of the chain's first tier would have answered."),
  attemptsPerRequest: z.number(),
});

export const replayedTarget = z
  .object({
    target: z.string(),
    provider: z.string(),
    model: z.string(),
    endpoint: z.string().nullable(),
    attempts: z.number().describe("Its counted attempts in the range, of whatever chain."),
    failureShare: share
      .nullable()
      .describe("Of these, the ones after which the next target would be asked; null: none were made."),
    capacityShare: share.nullable(),
    asked: share
      .nullable()
      .describe("Share of requests that would have asked it; null: it was never called, and is left out."),
    served: share.nullable(),
  })
  .meta({ id: "ReplayedTarget" });

export const replayedChain = z
  .object({
    chain: z.string(),
    requests: z.number().describe("Requests of the range that are played again."),
    traffic: z
      .enum(["chain", "targets", "none"])
      .describe(
        "targets: no call names this chain, so all requests to its targets stand for it. none: there are none.",
      ),
    current: figures
      .nullable()
      .describe("By the published plan; null: there is none with targets for this chain."),
    candidate: figures.nullable().describe("By the candidate; null: nothing to play, or it has no targets."),
    targets: z.array(replayedTarget),
  })
  .meta({ id: "ReplayedChain" });

export const replayAnswer = z
  .object({
    range: z.object({ from: instant, to: instant }),
    against: z.int().describe("The published version; 0: none."),
    chains: z.array(replayedChain),
    assumes: z
      .array(
        z.enum(["independentTargets", "sameFailureShares", "oneAttemptPerTarget", "roomForAll", "noHealth"]),
      )
      .describe("See docs/plans.md."),
  })
  .meta({ id: "Replay" });

export type Replay = z.infer<typeof replayAnswer>;
export type ReplayedChain = z.infer<typeof replayedChain>;
export type ReplayedTarget = z.infer<typeof replayedTarget>;
