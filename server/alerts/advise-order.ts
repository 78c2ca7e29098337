import type { Diagnosis } from "../contract/diagnosis.ts";
import type { ChainOrders, Orders } from "../contract/orders.ts";
import { WEEKDAYS } from "../contract/plan.ts";
import { weekdayOf } from "../profile/day-hours.ts";
import { localDateAt, offsetMsAt } from "../time/zone.ts";
import { covers, type Subject } from "./subject.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

/**
 * In which order to ask now: that of the chain which asks what is in trouble, as advised at this hour, with what is in
 * trouble last. Without such a chain the target that has most room, before the one in trouble.
 *
 * @returns names of targets, or `null`: there is nothing else to ask
 */
export function adviseOrder(
  subject: Subject,
  orders: Orders | null,
  diagnosis: Diagnosis | null,
  nowMs: number,
): readonly string[] | null {
  const isInTrouble = (target: Subject) => covers(ofTarget(subject), target);
  const chain = orders?.chains.find(
    (one) => (subject.chain === undefined || one.chain === subject.chain) && one.targets.some(isInTrouble),
  );
  if (chain !== undefined && orders !== null) {
    const places = orderAt(chain, orders.zone, nowMs);
    const targets = places.flatMap((place) => chain.targets[place] ?? []);
    const sorted = [...targets.filter((one) => !isInTrouble(one)), ...targets.filter(isInTrouble)];
    if (!sorted.every(isInTrouble)) return nameTargets(sorted);
  }
  const elsewhere = diagnosis?.steps.find((step) => step.step === "elsewhere");
  const other = elsewhere?.step === "elsewhere" ? elsewhere.model : null;
  if (other === null || subject.model === undefined || isInTrouble(other)) return null;
  return nameTargets([other, { ...subject, model: subject.model, provider: subject.provider ?? "" }]);
}

/** What is called; who calls it and how does not tell targets apart. */
function ofTarget({ provider, model, endpoint }: Subject): Subject {
  return { provider, model, endpoint };
}

function orderAt({ blocks, targets }: ChainOrders, zone: string, nowMs: number): readonly number[] {
  const block = blocks.find((one) => isWithin(one, zone, nowMs));
  return block?.order ?? targets.map((_, place) => place);
}

/** Blocks are whole hours on the zone's wall; one that crosses midnight belongs to the day that it begins on. */
function isWithin({ days, from, to }: ChainOrders["blocks"][number], zone: string, nowMs: number): boolean {
  const hour = Math.floor((((nowMs + offsetMsAt(zone, nowMs)) % DAY_MS) + DAY_MS) / HOUR_MS) % 24;
  const today = Date.parse(`${localDateAt(zone, nowMs)}T00:00:00Z`) / DAY_MS;
  const [first, end] = [Number(from.slice(0, 2)), Number(to.slice(0, 2))];
  const isOn = (day: number) => days.some((name) => name === WEEKDAYS[weekdayOf(day)]);
  if (first < end) return isOn(today) && hour >= first && hour < end;
  return (isOn(today) && hour >= first) || (isOn(today - 1) && hour < end);
}

interface NamedTarget {
  readonly id?: string | null;
  readonly provider: string;
  readonly model: string;
  readonly endpoint?: string | undefined;
}

/** As short as tells them apart. */
function nameTargets(targets: readonly NamedTarget[]): readonly string[] {
  return targets.map((target) => {
    const short = target.id ?? target.model;
    const isAlone = targets.every((other) => other === target || (other.id ?? other.model) !== short);
    if (isAlone) return short;
    const at = target.endpoint ? `@${target.endpoint}` : "";
    return `${target.provider}/${target.model}${at}`;
  });
}
