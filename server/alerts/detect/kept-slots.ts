import { type KeptSlots, SLOT_MS, type Slot } from "./types.ts";

export interface Sum {
  readonly k: number;
  readonly n: number;
}

/**
 * Adds a slot and forgets those that began before `keepFromMs`. A slot that is not later than the last one is left out:
 * it was taken already, or came too late.
 *
 * @param stepMs slots are added up to steps of this length, aligned to the epoch
 */
export function keepSlot(
  kept: KeptSlots,
  { startMs, k, n }: Slot,
  keepFromMs: number,
  stepMs = SLOT_MS,
): KeptSlots {
  const isOver = ([start]: KeptSlots[number]) => start + stepMs <= keepFromMs;
  const still = kept[0] !== undefined && isOver(kept[0]) ? kept.filter((one) => !isOver(one)) : kept;
  if (k <= 0 && n <= 0) return still;
  const stepStart = Math.floor(startMs / stepMs) * stepMs;
  const last = still.at(-1);
  if (last === undefined || last[0] < stepStart) return [...still, [stepStart, k, n]];
  if (stepMs === SLOT_MS || last[0] > stepStart) return still;
  return [...still.slice(0, -1), [stepStart, last[1] + k, last[2] + n]];
}

/** Sum of what began after `afterMs`, together with slots that are not kept. */
export function sumAfter(kept: KeptSlots, afterMs: number, more: readonly Slot[] = []): Sum {
  let sumK = 0;
  let sumN = 0;
  for (const { startMs, k, n } of more) {
    if (startMs <= afterMs) continue;
    sumK += k;
    sumN += n;
  }
  for (let i = kept.length - 1; i >= 0; i--) {
    const [startMs, k, n] = kept[i] as KeptSlots[number];
    if (startMs <= afterMs) break;
    sumK += k;
    sumN += n;
  }
  return { k: sumK, n: sumN };
}

const NONE: readonly Slot[] = [];

/** What is open, as a list; slots without anything are left out. */
export function listOpen(open: Slot | readonly Slot[] | null): readonly Slot[] {
  if (open === null) return NONE;
  const slots = "startMs" in open ? [open] : open;
  return slots.filter(({ k, n }) => k > 0 || n > 0);
}

/** What is open and was not taken before, ascending. */
export function listNew(kept: KeptSlots, open: Slot | readonly Slot[] | null): readonly Slot[] {
  const slots = listOpen(open);
  return slots.length === 0 ? slots : slots.filter((slot) => !isTaken(kept, slot));
}

/** Kept slots with later ones after them. */
export function addSlots(kept: KeptSlots, later: readonly Slot[]): KeptSlots {
  return later.length === 0 ? kept : [...kept, ...later.map(({ startMs, k, n }) => [startMs, k, n] as const)];
}

/** Whether a slot was taken before. */
export function isTaken(kept: KeptSlots, { startMs }: Slot): boolean {
  return startMs <= (kept.at(-1)?.[0] ?? Number.NEGATIVE_INFINITY);
}

/**
 * Start of the stretch at the end in which most was counted beyond `share` of the calls: when it began.
 *
 * @returns `null` without anything counted
 */
export function findOnset(kept: KeptSlots, afterMs: number, share: number): number | null {
  let [best, excess] = [Number.NEGATIVE_INFINITY, 0];
  let onset: number | null = null;
  for (let i = kept.length - 1; i >= 0; i--) {
    const [startMs, k, n] = kept[i] as KeptSlots[number];
    if (startMs <= afterMs) break;
    excess += k - share * n;
    if (k > 0 && excess >= best) {
      best = excess;
      onset = startMs;
    }
  }
  return onset;
}
