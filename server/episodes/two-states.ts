/** What one minute showed; minutes without calls are left out. */
export interface Minute {
  readonly startMs: number;
  /** Attempts that found no room, of those that count. */
  readonly k: number;
  readonly n: number;
}

/** A stretch in which a target was short of room. */
export interface Stretch {
  /** Start of its first minute. */
  readonly fromMs: number;
  /** End of its last minute with calls. */
  readonly toMs: number;
  /** The last minutes do not say that it is over. */
  readonly isOpen: boolean;
}

/** What calls are like in the two states, as shares that find no room. */
export interface States {
  readonly normal: number;
  readonly busy: number;
}

const MINUTE_MS = 60_000;
/** A target gets busy every five hours, and stays so for half an hour: what is held of a minute before it is seen. */
const BUSY_PER_MINUTE = 1 / 300;
const OVER_PER_MINUTE = 1 / 30;
const RATE = BUSY_PER_MINUTE + OVER_PER_MINUTE;
const USUALLY_BUSY = BUSY_PER_MINUTE / RATE;

/** In so long a silence even certainty drifts below the closing mark. */
const SILENCE_ENDS_MS = 60 * MINUTE_MS;

export const OPENS_ABOVE = 0.8;
export const CLOSES_BELOW = 0.2;

/** Of an unknown target. */
export const DEFAULT_STATES: States = { normal: 0.025, busy: 0.4 };
const LEAST_NORMAL = 0.025;
const MOST_NORMAL = 0.12;
const BUSY_OVER_NORMAL = 5;

/** States of a target that usually has this share: what is normal for it must not be an episode. */
export function statesFor(usualShare: number): States {
  const normal = Math.min(MOST_NORMAL, Math.max(LEAST_NORMAL, usualShare));
  return { normal, busy: Math.max(DEFAULT_STATES.busy, BUSY_OVER_NORMAL * normal) };
}

/** The probability of being busy some minutes after it was `before`, when nothing is seen. */
export function drift(before: number, minutes: number): number {
  return USUALLY_BUSY + (before - USUALLY_BUSY) * Math.exp(-RATE * minutes);
}

/**
 * Live: the probability of the busy state minute by minute; a stretch opens above 0.8 and closes below 0.2. Without
 * calls it drifts back to what is usual, so that silence closes it, at the last minute that was seen.
 *
 * @param minutes ascending
 * @param nowMs until when silence counts
 */
export function followStretches(minutes: readonly Minute[], states: States, nowMs: number): Stretch[] {
  const stretches: Stretch[] = [];
  let probability = USUALLY_BUSY;
  let lastMs: number | null = null;
  let open: { fromMs: number; toMs: number } | null = null;
  const close = () => {
    if (open !== null) stretches.push({ ...open, isOpen: false });
    open = null;
  };
  for (const { startMs, k, n } of minutes) {
    probability = drift(probability, lastMs === null ? 0 : (startMs - lastMs) / MINUTE_MS);
    // A long silence in between ended it, whatever comes now.
    if (open !== null && probability < CLOSES_BELOW) close();
    lastMs = startMs;
    const odds = (probability / (1 - probability)) * Math.exp(evidenceOf(k, n, states));
    probability = odds === Number.POSITIVE_INFINITY ? 1 - 1e-12 : odds / (1 + odds);
    probability = Math.min(1 - 1e-9, Math.max(1e-9, probability));
    if (open === null && probability > OPENS_ABOVE) open = { fromMs: startMs, toMs: startMs + MINUTE_MS };
    else if (open !== null && probability < CLOSES_BELOW) close();
    else if (open !== null) open.toMs = startMs + MINUTE_MS;
  }
  if (open !== null && lastMs !== null && drift(probability, (nowMs - lastMs) / MINUTE_MS) >= CLOSES_BELOW) {
    stretches.push({ ...(open as { fromMs: number; toMs: number }), isOpen: true });
  } else close();
  return stretches;
}

/** Log likelihood of a minute's calls in the busy state over that in the normal one. */
function evidenceOf(k: number, n: number, { normal, busy }: States): number {
  return k * Math.log(busy / normal) + (n - k) * Math.log((1 - busy) / (1 - normal));
}

/**
 * In hindsight: the likeliest path through the two states (Viterbi), which knows what came after. It finds starts and
 * ends that the live view learns of too late.
 *
 * @param minutes ascending
 */
export function findStretches(minutes: readonly Minute[], states: States): Stretch[] {
  const last = minutes.at(-1);
  if (last === undefined) return [];
  let [normal, busy] = [Math.log(1 - USUALLY_BUSY), Math.log(USUALLY_BUSY)];
  const cameFromBusy: [boolean, boolean][] = [];
  let lastMs: number | null = null;
  for (const { startMs, k, n } of minutes) {
    const gap = lastMs === null ? 0 : (startMs - lastMs) / MINUTE_MS;
    lastMs = startMs;
    const fading = 1 - Math.exp(-RATE * gap);
    const [gets, ends] = [USUALLY_BUSY * fading, (1 - USUALLY_BUSY) * fading];
    const toNormal = [normal + Math.log(1 - gets), busy + Math.log(ends)] as const;
    const toBusy = [normal + Math.log(gets), busy + Math.log(1 - ends)] as const;
    cameFromBusy.push([toNormal[1] > toNormal[0], toBusy[1] > toBusy[0]]);
    normal = Math.max(...toNormal);
    busy = Math.max(...toBusy) + evidenceOf(k, n, states);
    // Only their difference matters: sums over weeks would lose it.
    const top = Math.max(normal, busy);
    normal -= top;
    busy -= top;
  }
  const isBusy = new Array<boolean>(minutes.length);
  isBusy[minutes.length - 1] = busy > normal;
  for (let i = minutes.length - 1; i > 0; i--) isBusy[i - 1] = cameFromBusy[i]?.[isBusy[i] ? 1 : 0] ?? false;
  return toStretches(minutes, isBusy);
}

function toStretches(minutes: readonly Minute[], isBusy: readonly boolean[]): Stretch[] {
  const stretches: Stretch[] = [];
  let fromMs: number | null = null;
  minutes.forEach(({ startMs }, i) => {
    if (isBusy[i] !== true) return;
    fromMs ??= startMs;
    const next = minutes[i + 1];
    if (isBusy[i + 1] === true && next !== undefined && next.startMs - startMs < SILENCE_ENDS_MS) return;
    stretches.push({ fromMs, toMs: startMs + MINUTE_MS, isOpen: i === minutes.length - 1 });
    fromMs = null;
  });
  return stretches;
}
