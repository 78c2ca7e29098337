import { z } from "zod";
import * as query from "./query.ts";
import { instant, range } from "./share.ts";

const share = z.number().min(0).max(1);

export const episodesQuery = z.object({
  ...query.project,
  provider: query.seriesFilter.provider,
  model: query.seriesFilter.model,
  endpoint: query.seriesFilter.endpoint,
  ...query.timeRange,
  ...query.zone,
});

export const episode = z
  .object({
    id: z.number().int(),
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    openedAt: instant,
    closedAt: instant.nullable().describe("null: it goes on."),
    lastSeenAt: instant.describe("End of the last minute that was seen of it."),
    attempts: z.number().describe("Attempts in it that count."),
    errors: z.number().describe("Of these, the ones that found no room."),
    requests: z.number().describe("Requests that ended without room in it."),
    peak: share.describe("Highest share of ten minutes."),
    isSettled: z
      .boolean()
      .describe("Seen in hindsight by the nightly pass; else start and end may still move."),
    isProviderWide: z
      .boolean()
      .describe("At least two models of the provider, and half of those called, were short at the time."),
  })
  .meta({ id: "Episode" });

export const episodeTarget = z
  .object({
    provider: z.string(),
    model: z.string(),
    endpoint: z.string(),
    episodes: z.number(),
    recovery: z
      .object({
        minutesP50: z.number(),
        minutesP90: z.number(),
        stillBusy: z
          .array(z.object({ afterMinutes: z.number(), share }))
          .describe("Share of episodes that went on for longer."),
      })
      .nullable()
      .describe("How long until there is room again, of episodes that are over; null without one."),
    startHours: z
      .array(z.number())
      .length(24)
      .describe("Episodes by the hour at which they opened, in the zone."),
    tries: z
      .object({
        p50: z.number().nullable().describe("Half of the answered requests needed at most so many attempts."),
        counts: z.array(
          z.object({
            tries: z
              .number()
              .int()
              .describe("Attempts of the request at whatever target; 10 stands for more."),
            requests: z.number(),
            answered: z.number(),
          }),
        ),
      })
      .describe("Of requests that found no room here, in the last 7 days of the range."),
  })
  .meta({ id: "EpisodeTarget" });

export const episodesAnswer = z
  .object({
    zone: z.string(),
    range,
    episodes: z.array(episode).describe("Newest first, at most 1,000."),
    targets: z.array(episodeTarget),
  })
  .meta({ id: "Episodes" });

export type EpisodesAnswer = z.infer<typeof episodesAnswer>;
export type EpisodeTarget = z.infer<typeof episodeTarget>;
