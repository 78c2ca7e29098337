import type { PlanChain, PlanDocument, PlanTarget } from "../../../../../server/contract/plan.ts";

/** The chain of that name, changed; every other one as it is. */
export function changeChain(
  plan: PlanDocument,
  name: string,
  change: (chain: PlanChain) => PlanChain,
): PlanDocument {
  const chain = plan.chains[name];
  return chain === undefined ? plan : { ...plan, chains: { ...plan.chains, [name]: change(chain) } };
}

export function addChain(plan: PlanDocument, name: string): PlanDocument {
  return { ...plan, chains: { ...plan.chains, [name]: {} } };
}

export function removeChain({ chains, ...plan }: PlanDocument, name: string): PlanDocument {
  return { ...plan, chains: Object.fromEntries(Object.entries(chains).filter(([one]) => one !== name)) };
}

/** The list with one item at another place; places outside of it are its ends. */
export function move<T>(list: readonly T[], from: number, to: number): T[] {
  const rest = list.filter((_, at) => at !== from);
  const item = list[from];
  if (item === undefined) return [...list];
  return [...rest.slice(0, Math.max(0, to)), item, ...rest.slice(Math.max(0, to))];
}

const without = <T extends object>(of: T, name: keyof T): T => {
  const { [name]: _, ...rest } = of;
  return rest as T;
};

/** A field that is absent where there is nothing to say. */
export function setField<T extends object, K extends keyof T>(of: T, name: K, value: T[K] | undefined): T {
  return value === undefined ? without(of, name) : { ...of, [name]: value };
}

/** Adds a target, or puts it in the place of the one of that id; whatever spoke of the old id speaks of the new one. */
export function putTarget(chain: PlanChain, target: PlanTarget, oldId: string | null): PlanChain {
  const { targets = [] } = chain;
  if (oldId === null) return { ...chain, targets: [...targets, target] };
  const rename = (id: string) => (id === oldId ? target.id : id);
  return mapIds(
    { ...chain, targets: targets.map((one) => (one.id === oldId ? target : one)) },
    rename,
    targets.some(({ id, tier }) => id !== oldId && tier === oldId),
  );
}

function mapIds(chain: PlanChain, rename: (id: string) => string, isTierToo: boolean): PlanChain {
  const { floor, schedule, avoid } = chain;
  return {
    ...chain,
    ...(floor === undefined ? {} : { floor: isTierToo ? floor : rename(floor) }),
    ...(schedule && { schedule: schedule.map((entry) => ({ ...entry, order: entry.order.map(rename) })) }),
    ...(avoid && { avoid: avoid.map((entry) => ({ ...entry, target: rename(entry.target) })) }),
  };
}

/** Takes a target out, with all that is said of it; hours whose order had no other target have none of their own. */
export function dropTarget(chain: PlanChain, id: string): PlanChain {
  const left = (chain.targets ?? []).filter((target) => target.id !== id);
  const schedule = (chain.schedule ?? [])
    .map((entry) => ({ ...entry, order: entry.order.filter((one) => one !== id) }))
    .filter(({ order }) => order.length > 0);
  const avoid = (chain.avoid ?? []).filter(({ target }) => target !== id);
  const isFloor = chain.floor === id && !left.some(({ tier }) => tier === id);
  let next = setField(chain, "targets", left.length === 0 ? undefined : left);
  next = setField(next, "schedule", schedule.length === 0 ? undefined : schedule);
  next = setField(next, "avoid", avoid.length === 0 ? undefined : avoid);
  return isFloor ? setField(next, "floor", undefined) : next;
}
