import { DEFAULT_RULES } from "../../../server/alerts/default-rules.ts";
import { createWatch } from "../../../server/alerts/detect/replay.ts";
import { type Alarm, foldAlarms, playRival, playRules } from "./alert-play.ts";
import { RIVALS } from "./alert-rivals.ts";
import {
  type AlertWorld,
  DAY_MS,
  HOUR_MS,
  learnDaily,
  MINUTE_MS,
  makeAlertWorld,
  toQuarters,
  WARM_MS,
  WORLD_DAYS,
  WORLD_START_MS,
} from "./alert-world.ts";
import { judge, median, quantile } from "./numbers.ts";

const SLOT_MS = 5 * MINUTE_MS;
const END_MS = WORLD_START_MS + WORLD_DAYS * DAY_MS;

/** The default rules that watch capacity. */
export const CAPACITY_RULES = DEFAULT_RULES.filter(
  ({ measure }) => measure.of === "attempts" && measure.outcomes.includes("capacity"),
);

/** 2 % for weeks, then 15 % for a day: how long until it is told, how often for nothing, and how many times. */
export function reportArticle(seed: number, replicates: number): void {
  console.log(`\n2 % for weeks, then 15 % for a day; ${replicates} worlds for each rate, seed ${seed}`);
  for (const [callsPerHour, wantedHours] of [
    [50, 1.6],
    [1000, 0.8],
  ] as const) {
    const tallies = new Map(
      ["default rules", ...RIVALS.map(([name]) => name)].map((name) => [name, createTally()]),
    );
    for (let i = 0; i < replicates; i++) {
      const world = makeAlertWorld(seed + 13 * i + callsPerHour, { callsPerHour, incidentShare: 0.15 });
      const usualAt = learnDaily(world.slots);
      const warm = world.slots.filter(({ startMs }) => startMs >= WARM_MS - DAY_MS);
      tallies.get("default rules")?.add(world, foldAlarms(playRules(CAPACITY_RULES, warm, usualAt)));
      // The daily comparison needs the weeks before.
      for (const [name, create] of RIVALS) {
        const slots = name.startsWith("yesterday") ? world.slots : warm;
        const usual = name.startsWith("plain") ? usualAt : () => null;
        tallies.get(name)?.add(world, playRival(create(), slots, usual));
      }
    }
    for (const [name, tally] of tallies)
      console.log(`  ${String(callsPerHour).padStart(4)}/h ${tally.describe(name)}`);
    const own = (tallies.get("default rules") as Tally).figures();
    console.log(
      [
        `       delay ${own.delayHours.toFixed(2)} h ${judge(own.delayHours <= wantedHours, `≤ ${wantedHours} h`)}`,
        `       false ${own.falsePer30Days.toFixed(3)} ${judge(own.falsePer30Days <= 0.2, "≤ 0.2")}`,
        `       alarms ${own.alarms.toFixed(2)} ${judge(own.alarms < 1.1, "one")}`,
      ].join("\n"),
    );
  }
}

type Tally = ReturnType<typeof createTally>;

function createTally() {
  const delays: number[] = [];
  let [days, wrong, alarms, told, missed] = [0, 0, 0, 0, 0];
  const figures = () => ({
    delayHours: median(delays),
    falsePer30Days: (30 * wrong) / days,
    alarms: alarms / told,
  });
  return {
    add({ incident }: AlertWorld, all: readonly Alarm[]) {
      const own = all.filter(
        ({ firedMs, endedMs }) => firedMs < incident.toMs && (endedMs ?? END_MS) > incident.fromMs,
      );
      // What follows within a day may be of the incident: a comparison by days tells of it on the next.
      const isAround = (ms: number) => ms >= incident.fromMs && ms < incident.toMs + DAY_MS;
      wrong += all.filter(({ firedMs }) => firedMs >= WARM_MS && !isAround(firedMs)).length;
      days += (END_MS - WARM_MS) / DAY_MS - 2;
      const first = all.find((alarm) => isAround(alarm.firedMs)) ?? own[0];
      if (first === undefined) missed++;
      else {
        delays.push(Math.max(0, first.firedMs - incident.fromMs) / HOUR_MS);
        alarms += Math.max(1, own.length);
        told++;
      }
    },
    figures,
    describe(name: string) {
      const { delayHours, falsePer30Days, alarms: each } = figures();
      return (
        `${name.padEnd(36)} delay ${delayHours.toFixed(2)} h (p90 ${quantile(delays, 0.9).toFixed(1)}), ` +
        `false ${falsePer30Days.toFixed(2)} in 30 days, ${each.toFixed(2)} alarms an incident, ` +
        `missed ${((100 * missed) / (missed + told)).toFixed(0)} %`
      );
    },
  };
}

/** From 2 % to 50 % at 200 calls an hour, at any minute, looked at each minute as the product does. */
export function reportJump(seed: number, replicates: number): void {
  const delays: number[] = [];
  for (let i = 0; i < replicates; i++) {
    const fromMs = WORLD_START_MS + 10 * DAY_MS;
    const world = makeAlertWorld(seed + 13 * i, {
      callsPerHour: 200,
      incidentShare: 0.5,
      stepMs: MINUTE_MS,
      isFlat: true,
      isExact: true,
      endsAfterMs: 3 * HOUR_MS,
      fromMs,
    });
    delays.push(Math.min(24 * 60, delayByMinute(world)));
  }
  const [p50, p90] = [median(delays), quantile(delays, 0.9)];
  console.log(`\n2 % to 50 % at 200 calls an hour; ${replicates} worlds, seed ${seed}`);
  console.log(`  told after ${p50.toFixed(1)} min ${judge(p50 <= 5, "≤ 5 min")}`);
  console.log(`  nine of ten after ${p90.toFixed(1)} min ${judge(p90 <= 10, "≤ 10 min")}`);
}

/** Minutes until the first alarm; slots close two minutes after their end. */
function delayByMinute({ slots: minutes, incident }: AlertWorld): number {
  const usualAt = learnDaily(toQuarters(minutes));
  const watches = CAPACITY_RULES.map(createWatch);
  const fromMs = incident.fromMs - 2 * DAY_MS;
  let open: { startMs: number; k: number; n: number }[] = [];
  for (const { startMs, k, n } of minutes) {
    if (startMs < fromMs) continue;
    const slotMs = Math.floor(startMs / SLOT_MS) * SLOT_MS;
    const last = open.at(-1);
    if (last?.startMs === slotMs) {
      last.k += k;
      last.n += n;
    } else open.push({ startMs: slotMs, k, n });
    const nowMs = startMs + MINUTE_MS;
    for (const slot of open.filter((one) => nowMs >= one.startMs + SLOT_MS + 2 * MINUTE_MS)) {
      for (const watch of watches) watch.close(slot, usualAt(slot.startMs));
    }
    open = open.filter((one) => nowMs < one.startMs + SLOT_MS + 2 * MINUTE_MS);
    const hasFired = watches.map((watch) => watch.look(nowMs, open, usualAt(startMs)).event === "firing");
    if (hasFired.includes(true) && nowMs > incident.fromMs) return (nowMs - incident.fromMs) / MINUTE_MS;
  }
  return Number.POSITIVE_INFINITY;
}

/** The same 15 % every afternoon: it is usual, so nobody is paged; what is usual is shown beside it. */
export function reportRush(seed: number, replicates: number): void {
  const rush = { fromHour: 13, toHour: 17, share: 0.15 };
  let [alarms, paged, days] = [0, 0, 0];
  const shown: number[] = [];
  for (let i = 0; i < replicates; i++) {
    const world = makeAlertWorld(seed + 13 * i, { callsPerHour: 200, incidentShare: null, rush });
    const usualAt = learnDaily(world.slots);
    const warm = world.slots.filter(({ startMs }) => startMs >= WARM_MS - DAY_MS);
    const told = foldAlarms(playRules(CAPACITY_RULES, warm, usualAt)).filter(
      ({ firedMs }) => firedMs >= WARM_MS,
    );
    const hourOf = ({ firedMs }: Alarm) => new Date(firedMs - 1).getUTCHours();
    alarms += told.length;
    paged += told.filter((alarm) => hourOf(alarm) >= rush.fromHour && hourOf(alarm) < rush.toHour).length;
    days += (END_MS - WARM_MS) / DAY_MS;
    const atRush = END_MS - DAY_MS + 15 * HOUR_MS;
    const watch = createWatch({ condition: { kind: "learnt" }, pendingMinutes: 0, remindHours: null });
    shown.push(watch.look(atRush, null, usualAt(atRush)).judgement.usual ?? 0);
  }
  console.log(`\n15 % from 13 to 17 every day at 200 calls an hour; ${replicates} worlds, seed ${seed}`);
  console.log(
    `  paged on ${paged} of ${days} afternoons ${judge(paged <= days / 100, "≤ 1 %")}, ${alarms - paged} times else`,
  );
  console.log(
    `  shown as usual at 15:00: ${(100 * median(shown)).toFixed(1)} % ${judge(median(shown) > 0.1, "> 10 %")}`,
  );
}
