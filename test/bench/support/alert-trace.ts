import fs from "node:fs";
import { gunzipSync } from "node:zlib";
import { replayRule } from "../../../server/alerts/detect/replay.ts";
import type { Slot } from "../../../server/alerts/detect/types.ts";
import { describeEpisode, isWorthTelling } from "../../../server/episodes/describe-episode.ts";
import { findStretches, statesFor } from "../../../server/episodes/two-states.ts";
import { type Alarm, foldAlarms } from "./alert-play.ts";
import { CAPACITY_RULES } from "./alert-report.ts";
import { listTroubles, type Reading, type Trouble } from "./alert-troubles.ts";
import { DAY_MS, HOUR_MS, learnDaily, MINUTE_MS } from "./alert-world.ts";
import { judge } from "./numbers.ts";

const SLOT_MS = 5 * MINUTE_MS;
/** A quarter-hour in which more was short is no part of what is normal, as in the episode job. */
const NORMAL_BELOW = 0.25;
const LOOKBACK_MS = 28 * DAY_MS;

interface Endpoint {
  readonly name: string;
  readonly readings: readonly Reading[];
}

interface Score {
  readonly weeks: number;
  readonly troubles: readonly Trouble[];
  readonly told: readonly Trouble[];
  readonly severe: readonly Trouble[];
  readonly severeTold: readonly Trouble[];
  readonly alarms: readonly Alarm[];
  /** Alarms during which the bar was not passed by two readings in a row; and by an hour's without a break. */
  readonly falseAlarms: number;
  readonly withoutHour: number;
  readonly reopened: number;
}

/**
 * The default rules on readings of real endpoints, against troubles that are found without them.
 *
 * @param fromMs readings before this only teach what is usual
 * @param per calls that a reading stands for at most
 */
export function reportAlertTrace(file: string, fromMs: number, per: number): void {
  const scores = readEndpoints(file).map(({ readings }) => scoreEndpoint(readings, fromMs, per));
  const sum = (of: (score: Score) => number) => scores.reduce((total, score) => total + of(score), 0);
  const weeks = sum((score) => score.weeks);
  const share = (a: number, b: number) => (b === 0 ? 1 : a / b);
  const told = share(
    sum((s) => s.told.length),
    sum((s) => s.troubles.length),
  );
  const severe = share(
    sum((s) => s.severeTold.length),
    sum((s) => s.severe.length),
  );
  const wrong = sum((s) => s.falseAlarms) / weeks;
  const each = scores.map((s) => s.falseAlarms / s.weeks);
  const reopened = sum((s) => s.reopened);
  const percent = (value: number) => `${(100 * value).toFixed(1)} %`;
  console.log(
    `\n${scores.length} endpoints, ${weeks.toFixed(0)} endpoint-weeks from ${new Date(fromMs).toISOString().slice(0, 10)}, at most ${per} calls a reading`,
  );
  console.log(
    [
      `  of ${sum((s) => s.troubles.length)} troubles of an hour, told within 4 polls: ${percent(told)}   ${judge(told >= 0.9, "≥ 90 %")}`,
      `  of ${sum((s) => s.severe.length)} above 50 %, within 2 polls: ${percent(severe)}   ${judge(severe >= 0.9, "≥ 90 %")}`,
      `  alarms ${sum((s) => s.alarms.length)}, false ${wrong.toFixed(2)} for each endpoint and week   ${judge(wrong <= 1, "≤ 1")}`,
      `    without an unbroken hour above the bar: ${(sum((s) => s.withoutHour) / weeks).toFixed(2)}; ${each.filter((one) => one > 1).length} endpoints have more than 1 a week, the worst ${Math.max(...each).toFixed(2)}`,
      `  reopened within 30 minutes: ${reopened}   ${judge(reopened === 0, "0")}`,
    ].join("\n"),
  );
}

function readEndpoints(file: string): Endpoint[] {
  const bytes = fs.readFileSync(file);
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
  const endpoints = new Map<string, Reading[]>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { ts, provider, model, endpoint, err, n } = JSON.parse(line);
    const name = JSON.stringify([provider, model, endpoint]);
    const readings = endpoints.get(name) ?? [];
    endpoints.set(name, readings);
    readings.push({ endMs: Date.parse(ts), share: err, n });
  }
  return [...endpoints].map(([name, readings]) => ({
    name,
    readings: readings.sort((a, b) => a.endMs - b.endMs),
  }));
}

function scoreEndpoint(readings: readonly Reading[], fromMs: number, per: number): Score {
  const slots = toSlots(readings, per);
  const toMs = (slots.at(-1)?.startMs ?? fromMs) + SLOT_MS;
  const usualAt = learnDaily(slots, (dayMs) => findEpisodes(slots, dayMs));
  const perRule = CAPACITY_RULES.map((rule) =>
    replayRule(rule, slots, usualAt, { fromMs, toMs }).map(
      (one): Alarm => ({
        sinceMs: one.sinceMs,
        firedMs: one.firedMs,
        endedMs: one.resolvedMs,
        rule: rule.name,
      }),
    ),
  );
  const alarms = foldAlarms(perRule.flat());
  const all = listTroubles(readings, fromMs);
  const hasVolume = ({ isKnown, lengthMs }: Trouble) => isKnown && lengthMs >= HOUR_MS;
  const troubles = all.filter(hasVolume);
  const severe = troubles.filter(({ isSevere }) => isSevere);
  const within = (polls: number) => (trouble: Trouble) =>
    alarms.some(
      ({ firedMs, endedMs }) =>
        firedMs <= (trouble.readings[polls - 1]?.endMs ?? trouble.toMs) &&
        (endedMs ?? toMs) >= trouble.fromMs,
    );
  const touches = (alarm: Alarm, trouble: Trouble) =>
    trouble.fromMs <= (alarm.endedMs ?? toMs) && trouble.toMs >= alarm.sinceMs - 30 * MINUTE_MS;
  return {
    weeks: (toMs - fromMs) / (7 * DAY_MS),
    troubles,
    told: troubles.filter(within(4)),
    severe,
    severeTold: severe.filter(within(2)),
    alarms,
    falseAlarms: alarms.filter((alarm) => !all.some((one) => one.readings.length >= 2 && touches(alarm, one)))
      .length,
    withoutHour: alarms.filter((alarm) => !all.some((one) => one.lengthMs >= HOUR_MS && touches(alarm, one)))
      .length,
    reopened: perRule.reduce((sum, own) => sum + countReopened(own), countReopened(alarms)),
  };
}

function countReopened(alarms: readonly Alarm[]): number {
  return alarms.filter((alarm, at) => {
    const endedMs = alarms[at - 1]?.endedMs;
    return endedMs != null && alarm.firedMs - endedMs < 30 * MINUTE_MS;
  }).length;
}

/** Failures are dealt out by error diffusion, so that the share over many readings is theirs. */
function toSlots(readings: readonly Reading[], per: number): Slot[] {
  const slots: Slot[] = [];
  let owed = 0;
  for (const { endMs, share, n: known } of readings) {
    const n = Math.max(1, Math.min(per, known ?? 20));
    const due = owed + share * n;
    const k = Math.min(n, Math.floor(due + 1e-9));
    owed = due - k;
    const startMs = Math.floor((endMs - SLOT_MS) / SLOT_MS) * SLOT_MS;
    if (startMs > (slots.at(-1)?.startMs ?? 0)) slots.push({ startMs, k, n });
  }
  return slots;
}

/** Episodes of the 28 days before, as the product finds them. */
function findEpisodes(slots: readonly Slot[], dayMs: number) {
  const past = slots.filter(({ startMs }) => startMs < dayMs && startMs >= dayMs - LOOKBACK_MS);
  const normal = past.filter(({ k, n }) => k < NORMAL_BELOW * n);
  const [k, n] = normal.reduce(([sumK, sumN], one) => [sumK + one.k, sumN + one.n], [0, 0] as [
    number,
    number,
  ]);
  const found = findStretches(past, statesFor(n === 0 ? 0 : k / n));
  return found.filter((stretch) => isWorthTelling(describeEpisode(past, stretch)));
}
