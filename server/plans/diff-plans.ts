import {
  type PlanChain,
  type PlanChange,
  type PlanTarget,
  type PublishedPlan,
  WEEKDAYS,
} from "../contract/plan.ts";

type Plan = Pick<PublishedPlan, "timeZone" | "chains">;
type Window = { readonly days?: readonly string[] | undefined; readonly from: string; readonly to: string };

/** What changes from one plan to another, in the order in which people read a plan. */
export function diffPlans(before: Plan, after: Plan): PlanChange[] {
  const changes: PlanChange[] = [];
  if (before.timeZone !== after.timeZone)
    changes.push(change("timeZone", null, null, before.timeZone, after.timeZone));
  for (const chain of new Set([...Object.keys(before.chains), ...Object.keys(after.chains)])) {
    const [old, next] = [before.chains[chain], after.chains[chain]];
    if (old === undefined) changes.push(change("chainAdded", chain, null, null, next));
    else if (next === undefined) changes.push(change("chainRemoved", chain, null, old, null));
    else changes.push(...diffChains(chain, old, next));
  }
  const { timeZone: _, chains: __, version: ___, ...oldRest } = before as PublishedPlan;
  const { timeZone: ____, chains: _____, version: ______, ...newRest } = after as PublishedPlan;
  changes.push(...diffFields(null, oldRest, newRest, "other"));
  return changes;
}

function change(
  kind: PlanChange["kind"],
  chain: string | null,
  subject: string | null,
  before: unknown,
  after: unknown,
): PlanChange {
  return { kind, chain, subject, before: before ?? null, after: after ?? null };
}

function diffChains(chain: string, before: PlanChain, after: PlanChain): PlanChange[] {
  const { targets, floor, retry, schedule, avoid, ...rest } = after;
  const { targets: _, floor: __, retry: ___, schedule: ____, avoid: _____, ...oldRest } = before;
  return [
    ...diffTargets(chain, before.targets ?? [], targets ?? []),
    ...(before.floor === floor ? [] : [change("floor", chain, null, before.floor, floor)]),
    ...diffFields(chain, before.retry ?? {}, retry ?? {}, "retry"),
    ...diffWindows(chain, scheduleOf(before), scheduleOf(after), "schedule"),
    ...diffWindows(chain, avoidOf(before), avoidOf(after), "avoid"),
    ...diffFields(chain, oldRest, rest, "other"),
  ];
}

function diffTargets(
  chain: string,
  before: readonly PlanTarget[],
  after: readonly PlanTarget[],
): PlanChange[] {
  const find = (targets: readonly PlanTarget[], id: string) => targets.find((target) => target.id === id);
  const changes = [
    ...after
      .filter(({ id }) => find(before, id) === undefined)
      .map((target) => change("targetAdded", chain, target.id, null, target)),
    ...before
      .filter(({ id }) => find(after, id) === undefined)
      .map((target) => change("targetRemoved", chain, target.id, target, null)),
  ];
  for (const target of after) {
    const old = find(before, target.id);
    if (old !== undefined && !isSame(old, target))
      changes.push(change("targetChanged", chain, target.id, ...differing(old, target)));
  }
  const kept = (of: readonly PlanTarget[], other: readonly PlanTarget[]) =>
    of.map(({ id }) => id).filter((id) => find(other, id) !== undefined);
  if (!isSame(kept(before, after), kept(after, before)))
    changes.push(
      change(
        "order",
        chain,
        null,
        before.map(({ id }) => id),
        after.map(({ id }) => id),
      ),
    );
  return changes;
}

/** Fields of two objects that differ, as they were and as they are. */
function differing(before: object, after: object): [Record<string, unknown>, Record<string, unknown>] {
  const [old, next] = [before as Record<string, unknown>, after as Record<string, unknown>];
  const names = [...new Set([...Object.keys(old), ...Object.keys(next)])].filter(
    (name) => !isSame(old[name], next[name]),
  );
  const pick = (of: Record<string, unknown>) =>
    Object.fromEntries(names.map((name) => [name, of[name] ?? null]));
  return [pick(old), pick(next)];
}

function diffFields(
  chain: string | null,
  before: object,
  after: object,
  kind: "retry" | "other",
): PlanChange[] {
  const [old, next] = differing(before, after);
  return Object.keys(next).map((name) => change(kind, chain, name, old[name], next[name]));
}

/** What holds in some hours, with the hours in words: two are the same when both are. */
interface Timed {
  readonly hours: string;
  readonly value: unknown;
}

const scheduleOf = ({ schedule = [] }: PlanChain): Timed[] =>
  schedule.map((entry) => ({ hours: formatWindow(entry), value: entry.order }));
const avoidOf = ({ avoid = [] }: PlanChain): Timed[] =>
  avoid.flatMap(({ target, windows }) =>
    windows.map((window) => ({ hours: formatWindow(window), value: target })),
  );

function diffWindows(
  chain: string,
  before: readonly Timed[],
  after: readonly Timed[],
  kind: "schedule" | "avoid",
): PlanChange[] {
  const without = (of: readonly Timed[], others: readonly Timed[]) =>
    of.filter((one) => !others.some((other) => isSame(one, other)));
  const changes = [
    ...without(before, after).map(({ hours, value }) => change(`${kind}Removed`, chain, hours, value, null)),
    ...without(after, before).map(({ hours, value }) => change(`${kind}Added`, chain, hours, null, value)),
  ];
  // The first of two windows at once counts, so that their order is part of what is said.
  if (kind === "schedule" && changes.length === 0 && !isSame(before, after))
    changes.push(
      change(
        "other",
        chain,
        "schedule",
        before.map(({ hours }) => hours),
        after.map(({ hours }) => hours),
      ),
    );
  return changes;
}

/** `mon–fri 10:00–16:00`; days that do not follow one another are listed. */
export function formatWindow({ days, from, to }: Window): string {
  const open = WEEKDAYS.flatMap((day, at) => ((days ?? WEEKDAYS).includes(day) ? [at] : []));
  const [first = 0, last = 0] = [open[0], open.at(-1)];
  const isRun = open.length > 2 && last - first === open.length - 1;
  const names =
    open.length === 7
      ? "daily"
      : isRun
        ? `${WEEKDAYS[first]}–${WEEKDAYS[last]}`
        : open.map((at) => WEEKDAYS[at]).join(", ");
  return `${names} ${from}–${to}`;
}

/** Whether two values are the same as JSON; the order of an object's fields says nothing. */
function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([key, inner]) => [key, sorted(inner)]));
}
