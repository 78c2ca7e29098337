import type { Sql } from "../../db/connect.ts";
import type { RuleFiring, RuleReplay } from "../contract/alert.ts";
import type { AlertRuleInput } from "../contract/alert-rule.ts";
import { DAY_MS, floorTo, MINUTE_MS, minutesKeptFrom } from "../rollup/levels.ts";
import { countedKey, countingOf } from "./counting.ts";
import { createDetector } from "./detect/detector.ts";
import { replayRule } from "./detect/replay.ts";
import { SLOT_MS, type Usual } from "./detect/types.ts";
import { type GroupSlots, listGroupSlots } from "./slot-queries.ts";
import { groupOf, type Subject } from "./subject.ts";
import { toTold } from "./to-notice.ts";
import { hourOfWeekAt } from "./usual-at.ts";
import { type GroupUsual, learnGroups } from "./usual-job.ts";

export interface ReplayedProject {
  readonly id: number;
  readonly timeZone: string;
}

export interface RuleReplayer {
  /** How often a rule would have fired in the last 14 days. */
  replay(project: ReplayedProject, rule: AlertRuleInput, nowMs: number): Promise<RuleReplay>;
}

const REPLAYED_MS = 14 * DAY_MS;
/** What is usual is learnt anew so often, by the days before alone. */
const RELEARNT_MS = 7 * DAY_MS;
const MOST_FIRINGS = 500;
/** While a threshold is dragged, the same calls are counted over and over: they are kept for a moment. */
const KEPT_MS = 2 * MINUTE_MS;
const MOST_KEPT = 20;

interface Past {
  readonly groups: readonly GroupSlots[];
  /** Remembers what it was asked: a drag asks for the same instants over and over. */
  readonly hourOf: (ms: number) => number;
  /** By the instant from which on it is what is known, ascending. */
  readonly usual: readonly { readonly fromMs: number; readonly groups: readonly GroupUsual[] }[];
}

/** Replays rules on what was counted. What takes long is kept for a moment, so that a threshold can be dragged. */
export function createRuleReplayer(sql: Sql): RuleReplayer {
  const kept = new Map<string, { madeMs: number; past: Promise<Past> }>();
  return {
    async replay(project, rule, nowMs) {
      const key = JSON.stringify([
        project.id,
        project.timeZone,
        countedKey(countingOf(rule), rule),
        asksUsual(rule.condition),
        createDetector(rule.condition).lookbackMs,
      ]);
      const toMs = floorTo(nowMs, SLOT_MS);
      let one = kept.get(key);
      if (one === undefined || Math.abs(nowMs - one.madeMs) > KEPT_MS) {
        one = { madeMs: nowMs, past: readPast(sql, project, rule, toMs) };
        kept.delete(key);
        kept.set(key, one);
        one.past.catch(() => kept.delete(key));
        for (const oldest of [...kept.keys()].slice(0, -MOST_KEPT)) kept.delete(oldest);
      }
      return replayPast(await one.past, rule, toMs);
    },
  };
}

async function readPast(
  sql: Sql,
  project: ReplayedProject,
  { where, groupBy, ...rule }: AlertRuleInput,
  toMs: number,
): Promise<Past> {
  const counting = countingOf(rule);
  const counted = { counting, where, groupBy };
  const { fromMs, lookbackFromMs } = rangeOf(toMs, createDetector(rule.condition).lookbackMs);
  const times = asksUsual(rule.condition) ? [fromMs, fromMs + RELEARNT_MS] : [];
  const [groups, ...usual] = await Promise.all([
    listGroupSlots(sql, { projectId: project.id, ...counted, fromMs: lookbackFromMs, toMs }),
    ...times.map((atMs) => learnGroups(sql, project, counted, atMs)),
  ]);
  return {
    groups,
    hourOf: hourOfWeekAt(project.timeZone),
    usual: usual.map((learnt, i) => ({ fromMs: times[i] ?? fromMs, groups: learnt })),
  };
}

const asksUsual = ({ kind }: AlertRuleInput["condition"]) => kind === "learnt" || kind === "fastRise";

/** As far back as minutes are kept; slots before the range teach the detector, where there are any. */
function rangeOf(toMs: number, lookbackMs: number) {
  const keptMs = floorTo(minutesKeptFrom(toMs), SLOT_MS);
  const fromMs = Math.max(toMs - REPLAYED_MS, keptMs);
  return { fromMs, lookbackFromMs: Math.max(fromMs - floorTo(lookbackMs, SLOT_MS), keptMs) };
}

function replayPast({ groups, usual, hourOf }: Past, rule: AlertRuleInput, toMs: number): RuleReplay {
  const { fromMs } = rangeOf(toMs, createDetector(rule.condition).lookbackMs);
  const firings = groups.flatMap(({ subject, slots }): RuleFiring[] => {
    const group = groupOf(subject as Required<Subject>, rule);
    if (group === null) return [];
    const usualAt = findUsualOf(usual, group.key, hourOf);
    return replayRule(rule, slots, usualAt, { fromMs, toMs }).map((one) => ({
      subject: toTold(group.subject),
      from: new Date(one.sinceMs).toISOString(),
      toldAt: new Date(one.firedMs).toISOString(),
      to: one.endedMs === null ? null : new Date(one.endedMs).toISOString(),
      k: one.k,
      n: one.n,
      peak: one.value,
    }));
  });
  firings.sort((a, b) => (a.toldAt < b.toldAt ? 1 : -1));
  const minutes = firings.reduce((sum, { from, to }) => {
    return sum + ((to === null ? toMs : Date.parse(to)) - Date.parse(from)) / MINUTE_MS;
  }, 0);
  return {
    range: { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() },
    groups: groups.length,
    count: firings.length,
    minutes,
    firings: firings.slice(0, MOST_FIRINGS),
  };
}

function findUsualOf(
  usual: Past["usual"],
  key: string,
  hourOf: (ms: number) => number,
): (ms: number) => Usual | null {
  const weeks = usual.map(({ fromMs, groups }) => ({
    fromMs,
    week: groups.find(({ groupKey }) => groupKey === key)?.week ?? null,
  }));
  return (ms) => {
    const week = weeks.findLast(({ fromMs }) => fromMs <= ms)?.week ?? weeks[0]?.week ?? null;
    if (week === null) return null;
    const hour = hourOf(ms);
    return { share: week.shares[hour] ?? 0, n: week.calls[hour] ?? 0, spread: week.spread };
  };
}
