import { z } from "zod";
import { cell, countKind, heatmapCell, instant } from "./share.ts";

export const nowState = z
  .enum(["short", "tight", "room", "few", "silent"])
  .describe(
    "short: at least 5 % found no room, and at least 2 % by the lower end of the interval. tight: from 2 % on. room: less. few: too few calls. silent: none.",
  );

export const nowShare = z
  .object({
    state: nowState,
    hours: z
      .union([z.literal(1), z.literal(3)])
      .describe("Of the last hour, or of three where one is too thin."),
    cell,
  })
  .meta({ id: "NowShare" });

export const nowHour = z
  .object({
    start: instant,
    hourOfWeek: z.int().min(0).max(167),
    isOpen: z.boolean().describe("The hour is not over: its counts will still grow."),
    measured: cell,
    usual: cell.describe("The same hour of the week in the heatmap."),
  })
  .meta({ id: "NowHour" });

export const nowTarget = z
  .object({
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    calls: z.number().describe("Of the last 28 days, whatever their outcome."),
    firstSeen: instant.nullable(),
    lastSeen: instant.nullable(),
    now: nowShare,
    usual: cell.describe("At this hour of the week."),
    hours: z.array(nowHour).describe("The last 24 on the zone's wall, the open one included."),
    today: z.array(heatmapCell).length(24).describe("What is usual on this day of the week."),
  })
  .meta({ id: "NowTarget" });

export const nowAnswer = z
  .object({ zone: z.string(), count: countKind, now: instant, targets: z.array(nowTarget) })
  .meta({ id: "Now" });

export type NowState = z.infer<typeof nowState>;
export type NowShare = z.infer<typeof nowShare>;
export type NowHour = z.infer<typeof nowHour>;
export type NowTarget = z.infer<typeof nowTarget>;
export type Now = z.infer<typeof nowAnswer>;
