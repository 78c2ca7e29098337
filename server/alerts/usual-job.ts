import { setImmediate } from "node:timers/promises";
import type { ISql, Sql } from "../../db/connect.ts";
import type { AlertRuleInput } from "../contract/alert-rule.ts";
import { listEpisodes } from "../episodes/queries.ts";
import { createWall, dayAt } from "../profile/day-hours.ts";
import { DAY_MS, floorTo, HOUR_MS, QUARTER_MS } from "../rollup/levels.ts";
import { offsetMsAt } from "../time/zone.ts";
import { countedKey, countingOf, isShare } from "./counting.ts";
import { learnUsual, type UsualWeek } from "./learn-usual.ts";
import { type GroupSlotsQuestion, listGroupSlots } from "./slot-queries.ts";
import { type JudgedProject, listJudgedProjects, type RuleRow } from "./state-queries.ts";
import { covers, groupOf, type Subject } from "./subject.ts";

const LOOKBACK_MS = 28 * DAY_MS;
const MOST_EPISODES = 20_000;

/**
 * Learns what is usual of every group of every rule that counts a share: once an hour, and when rules or zones changed.
 *
 * @returns how many projects were looked at
 */
export async function runUsual(sql: Sql, nowMs: number): Promise<number> {
  let made = 0;
  for (const project of await listJudgedProjects(sql)) {
    const rules = await sql<RuleRow[]>`
      select id, rule from alert_rule where project_id = ${project.id} order by id`;
    const counted = listCounted(rules.map(({ rule }) => rule));
    const madeOf = JSON.stringify([...counted.keys()].sort());
    const [run] = await sql<{ timeZone: string; madeOf: string; madeAt: Date }[]>`
      select time_zone as "timeZone", made_of as "madeOf", made_at as "madeAt"
        from alert_usual_run where project_id = ${project.id}`;
    const isFresh =
      run !== undefined &&
      run.timeZone === project.timeZone &&
      run.madeOf === madeOf &&
      floorTo(run.madeAt.getTime(), HOUR_MS) === floorTo(nowMs, HOUR_MS);
    if (isFresh) continue;
    await makeUsual(sql, project, [...counted], madeOf, nowMs);
    made++;
  }
  return made;
}

type Counted = Pick<GroupSlotsQuestion, "counting" | "where" | "groupBy">;

/** What rules that are switched on count, each once. */
function listCounted(rules: readonly AlertRuleInput[]): Map<string, Counted> {
  return new Map(
    rules.flatMap((rule): [string, Counted][] => {
      const counting = countingOf(rule);
      if (!rule.isEnabled || !isShare(counting)) return [];
      return [[countedKey(counting, rule), { counting, where: rule.where, groupBy: rule.groupBy }]];
    }),
  );
}

async function makeUsual(
  sql: Sql,
  project: JudgedProject,
  counted: readonly (readonly [string, Counted])[],
  madeOf: string,
  nowMs: number,
): Promise<void> {
  const weeks: { countedKey: string; groupKey: string; week: UsualWeek }[] = [];
  for (const [key, question] of counted) {
    for (const { groupKey, week } of await learnGroups(sql, project, question, nowMs)) {
      weeks.push({ countedKey: key, groupKey, week });
    }
  }
  await sql.begin(async (tx) => {
    await tx`
      insert into alert_usual_run (project_id, time_zone, made_of, made_at)
      values (${project.id}, ${project.timeZone}, ${madeOf}, ${new Date(nowMs)})
          on conflict (project_id) do update
         set time_zone = excluded.time_zone, made_of = excluded.made_of, made_at = excluded.made_at`;
    await tx`delete from alert_usual where project_id = ${project.id}`;
    for (const { countedKey: key, groupKey, week } of weeks) {
      await tx`
        insert into alert_usual (project_id, counted_key, group_key, shares, calls, spread)
        values (${project.id}, ${key}, ${groupKey}, ${[...week.shares]}::real[], ${[...week.calls]}::real[],
                ${week.spread})`;
    }
  });
}

export interface GroupUsual {
  readonly groupKey: string;
  readonly week: UsualWeek;
}

/** What is usual of each group at an instant, by the 28 days before its local day. */
export async function learnGroups(
  sql: Sql,
  { id: projectId, timeZone }: Pick<JudgedProject, "id" | "timeZone">,
  { counting, where, groupBy }: Counted,
  atMs: number,
): Promise<GroupUsual[]> {
  const range = { fromMs: floorTo(atMs - LOOKBACK_MS, QUARTER_MS), toMs: floorTo(atMs, QUARTER_MS) };
  const groups = await listGroupSlots(sql, { projectId, counting, where, groupBy, ...range }, "15m");
  const isOfCapacity = counting.outcomes.includes("capacity");
  const episodes = isOfCapacity ? await listEpisodes(sql, projectId, {}, range, MOST_EPISODES) : [];
  const endDay = dayAt(atMs + offsetMsAt(timeZone, atMs));
  const wallAt = createWall(timeZone);
  const learnt: GroupUsual[] = [];
  for (const { subject, slots } of groups) {
    const group = groupOf(subject as Required<Subject>, { where, groupBy });
    const own = episodes.filter((episode) => covers(targetOf(subject), episode));
    const week = learnUsual(slots, own, timeZone, endDay, wallAt);
    if (group !== null && week !== null) learnt.push({ groupKey: group.key, week });
    // Many groups take long: whoever asks something of this server meanwhile does not wait for all of them.
    await setImmediate();
  }
  return learnt;
}

/** Episodes are of targets, whoever calls them. */
function targetOf({ provider, model, endpoint }: Subject): Subject {
  return { provider, model, endpoint };
}

/** What was learnt of a project, to look things up in. */
export interface UsualBook {
  readonly madeMs: number;
  readonly timeZone: string;
  /** By what is counted, then by group. */
  readonly weeks: ReadonlyMap<string, ReadonlyMap<string, UsualWeek>>;
}

export async function findUsualMadeMs(sql: ISql, projectId: number): Promise<number | null> {
  const [row] = await sql<{ madeAt: Date }[]>`
    select made_at as "madeAt" from alert_usual_run where project_id = ${projectId}`;
  return row?.madeAt.getTime() ?? null;
}

export async function readUsual(sql: ISql, project: JudgedProject, madeMs: number): Promise<UsualBook> {
  const rows = await sql<(UsualWeek & { countedKey: string; groupKey: string })[]>`
    select counted_key as "countedKey", group_key as "groupKey", shares, calls, spread
      from alert_usual where project_id = ${project.id}`;
  const weeks = new Map<string, Map<string, UsualWeek>>();
  for (const { countedKey: key, groupKey, ...week } of rows) {
    const groups = weeks.get(key) ?? new Map<string, UsualWeek>();
    weeks.set(key, groups.set(groupKey, week));
  }
  return { madeMs, timeZone: project.timeZone, weeks };
}
