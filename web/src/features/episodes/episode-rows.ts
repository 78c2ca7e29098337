import type { Diagnosis } from "../../../../server/contract/diagnosis.ts";
import type { EpisodesAnswer } from "../../../../server/contract/episode.ts";
import { isSameTarget } from "../../app/describe-scope.ts";

export type Episode = EpisodesAnswer["episodes"][number];
export type EpisodeTarget = EpisodesAnswer["targets"][number];

/** A stretch on a line of the length 1. */
export interface Bar {
  readonly id: number;
  readonly from: number;
  readonly width: number;
  readonly isProviderWide: boolean;
}

/** A line of the timeline: a target that was short, with its stretches. */
export interface TimelineRow {
  readonly target: EpisodeTarget;
  readonly bars: readonly Bar[];
}

/** So narrow a bar is still seen. */
const LEAST_WIDTH = 0.003;

/** Targets that were short in the range, those first that were so most often. */
export function toTimeline({ episodes, targets, range }: EpisodesAnswer): TimelineRow[] {
  const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
  const place = (iso: string) => Math.min(1, Math.max(0, (Date.parse(iso) - fromMs) / (toMs - fromMs)));
  return targets
    .filter(({ episodes: count }) => count > 0)
    .sort((a, b) => b.episodes - a.episodes || a.model.localeCompare(b.model))
    .map((target) => ({
      target,
      bars: episodes
        .filter((episode) => isSameTarget(episode, target))
        .map(({ id, openedAt, lastSeenAt, isProviderWide }) => {
          const [from, to] = [place(openedAt), place(lastSeenAt)];
          const width = Math.max(LEAST_WIDTH, to - from);
          return { id, from: Math.min(from, 1 - width), width, isProviderWide };
        }),
    }));
}

/** Midnights within the range, as places on a line of the length 1; every so many days where there are many. */
export function listDayMarks(
  { range }: Pick<EpisodesAnswer, "range">,
  dayStarts: readonly number[],
  most = 8,
): { atMs: number; place: number }[] {
  const [fromMs, toMs] = [Date.parse(range.from), Date.parse(range.to)];
  const every = Math.ceil(dayStarts.length / most);
  return dayStarts
    .filter((ms) => ms > fromMs && ms < toMs)
    .filter((_, i) => i % every === 0)
    .map((ms) => ({ atMs: ms, place: (ms - fromMs) / (toMs - fromMs) }));
}

/** The hour at which most episodes opened; the earliest of several. */
export function busiestHour(startHours: readonly number[]): number {
  return startHours.indexOf(Math.max(...startHours));
}

export type Mark = "points" | "clear" | "unknown";

/** Whether a step of a diagnosis points at the cause. */
export function markOf(step: Diagnosis["steps"][number]): Mark {
  if (step.verdict === "unknown" || step.verdict === "tooFew") return "unknown";
  const pointing = {
    kind: ["other"],
    traffic: ["grew"],
    attempts: ["storm"],
    concurrency: ["tooHigh"],
    scope: ["endpoint", "model", "provider", "everything"],
    elsewhere: [],
  } as const satisfies Record<typeof step.step, readonly string[]>;
  const verdicts: readonly string[] = pointing[step.step];
  return verdicts.includes(step.verdict) ? "points" : "clear";
}
