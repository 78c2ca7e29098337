import type { ChainOrders } from "../../../../../server/contract/orders.ts";
import type { PlanChain, PlanDocument, PlanTarget } from "../../../../../server/contract/plan.ts";
import { coverHours } from "../../../time/week-hours.ts";
import { isSameOrder, paintOrder } from "../blocks.ts";

/**
 * The plan with what is advised for a chain: its targets where the plan had none or lacks some, and its orders in
 * their hours, with the figures that speak for them. Hours that the advice does not name stay as they are.
 */
export function applyOrders(plan: PlanDocument, advised: ChainOrders): PlanDocument {
  const before: PlanChain = plan.chains[advised.chain] ?? {};
  const { targets, ids } = matchTargets(before.targets ?? [], advised.targets);
  let schedule = before.schedule ?? [];
  for (const { days, from, to, order, firstTry, success, requestsPerWeek } of advised.blocks) {
    const named = order.flatMap((place) => ids[place] ?? []);
    const why = { firstTry, success, requestsPerWeek };
    const window = { days, from, to };
    schedule = paintOrder(schedule, named, coverHours(window).whole).map((entry) =>
      isSameOrder(entry.order, named) && entry["why"] === undefined ? { ...entry, why } : entry,
    );
  }
  return { ...plan, chains: { ...plan.chains, [advised.chain]: { ...before, targets, schedule } } };
}

/** The plan's targets with those that it lacks, and the id of each advised one. */
function matchTargets(
  own: readonly PlanTarget[],
  advised: ChainOrders["targets"],
): { readonly targets: PlanTarget[]; readonly ids: string[] } {
  const targets = [...own];
  const ids = advised.map(({ provider, model, endpoint, tier }) => {
    const isIt = (target: PlanTarget) =>
      target.provider === provider &&
      target.model === model &&
      (target.endpoint === undefined || target.endpoint === endpoint);
    const known =
      targets.find((target) => target.endpoint === endpoint && isIt(target)) ?? targets.find(isIt);
    if (known !== undefined) return known.id;
    const id = freeId(model, endpoint, new Set(targets.map((target) => target.id)));
    targets.push({ id, provider, model, tier: `tier-${tier + 1}`, ...(endpoint === "" ? {} : { endpoint }) });
    return id;
  });
  return { targets, ids };
}

function freeId(model: string, endpoint: string, taken: ReadonlySet<string>): string {
  const names = [model, ...(endpoint === "" ? [] : [`${model}@${endpoint}`])];
  const free = names.find((name) => !taken.has(name));
  if (free !== undefined) return free;
  let number = 2;
  while (taken.has(`${model}-${number}`)) number++;
  return `${model}-${number}`;
}
