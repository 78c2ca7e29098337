import type { DayHour } from "../profile/day-hours.ts";
import { estimateProfile, type Profile } from "../profile/estimate-profile.ts";
import { type Evidence, type HourShape, shapeOf, weighEvidence } from "../profile/evidence.ts";
import { siblingRatios } from "../profile/hour-ratios.ts";
import { judgeRepeatability, type Repeatability } from "../profile/repeatability.ts";

export interface TargetName {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
}

/** One text for one target. */
export function targetKey({ provider, model, endpoint }: TargetName): string {
  return JSON.stringify([provider, model, endpoint]);
}

export const isSameTarget = (target: TargetName) => (other: TargetName) =>
  other.provider === target.provider && other.model === target.model && other.endpoint === target.endpoint;

export interface TargetHours extends TargetName {
  /** In order of time. */
  readonly hours: readonly DayHour[];
}

/** What a target's past says, at any day of it, from nothing but the days before. */
export interface TargetHistory extends TargetName {
  readonly hours: readonly DayHour[];
  /** The profile as it would have been made on `endDay`, before its first call. */
  profileOn(endDay: number): Profile;
  repeatabilityOn(endDay: number): Repeatability;
}

/** Days that are looked at before `endDay`: older ones weigh nothing to speak of. */
export const LOOKBACK_DAYS = 56;

/** Histories that know of each other: a model's endpoints help one another. */
export function createHistories(targets: readonly TargetHours[]): TargetHistory[] {
  const memory = targets.map((target) => remember(target.hours));
  const siblings = targets.map((target) =>
    targets.flatMap((other, at) => (other !== target && other.model === target.model ? [at] : [])),
  );
  return targets.map((target, at) => {
    const ratiosOn = (endDay: number) =>
      siblingRatios((siblings[at] ?? []).map((other) => (memory[other] as Memory)(endDay).shape));
    const past = memory[at] as Memory;
    return {
      ...target,
      profileOn(endDay) {
        const { hours, evidence } = past(endDay);
        return estimateProfile(hours, endDay, ratiosOn(endDay), evidence);
      },
      repeatabilityOn: (endDay) => judgeRepeatability(past(endDay).evidence, endDay, ratiosOn(endDay)),
    };
  });
}

interface Past {
  readonly hours: readonly DayHour[];
  readonly evidence: Evidence;
  readonly shape: HourShape;
}

type Memory = (endDay: number) => Past;

/** The days before a day; made once for each day that is asked for. */
function remember(all: readonly DayHour[]): Memory {
  const made = new Map<number, Past>();
  return (endDay) => {
    let past = made.get(endDay);
    if (past === undefined) {
      const hours = all.filter(({ day }) => day < endDay && day >= endDay - LOOKBACK_DAYS);
      const evidence = weighEvidence(hours, endDay);
      past = { hours, evidence, shape: shapeOf(evidence.hours) };
      made.set(endDay, past);
    }
    return past;
  };
}
