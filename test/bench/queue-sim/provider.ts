import { toClientError } from "../../../sdk/src/router/scripted-providers.ts";
import { createRandom, type VirtualTime } from "../../../sdk/src/router/virtual-time.ts";

const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
/** A refusal comes at once. */
const REFUSED_AFTER_MS = 400;
const MEAN_CALL_MS = 12_000;
const SPREAD = 0.6;
/** Slots that others leave: at four at night, and at four in the afternoon. */
const MOST_ROOM = 80;
const LEAST_ROOM = 6;
/** Others' bursts refuse so many calls whatever we do: at three in the afternoon one in eight, at night one in 500. */
const WORST_SHARE = 0.125;
const BEST_SHARE = 0.002;

const OVERLOADED = toClientError({
  status: 529,
  body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
});

/** From 0 to 1 and back within a day; 1 at that hour. */
const wave = (hour: number, at: number) => (1 + Math.cos(((hour - at) / 24) * 2 * Math.PI)) / 2;

export const hourOf = (epochMs: number) => (epochMs / HOUR_MS) % 24;

/** Share of calls that is refused at that hour whatever we do. */
export const shareAt = (hour: number) => BEST_SHARE + (WORST_SHARE - BEST_SHARE) * wave(hour, 15) ** 2;

/** A provider whose room for us follows a day, and wanders by a sixth within minutes. */
export class Provider {
  readonly #time: VirtualTime;
  readonly #random: () => number;
  #inFlight = 0;
  #wander = 0;
  #wanderedAt = 0;
  readonly counts = { calls: 0, refused: 0 };
  /** Calls and refusals by minute since the beginning. */
  readonly minutes: { n: number; k: number }[] = [];

  constructor(time: VirtualTime, seed: number) {
    this.#time = time;
    this.#random = createRandom(seed);
  }

  get room(): number {
    const minute = Math.floor(this.#time.elapsed() / MINUTE_MS);
    for (; this.#wanderedAt < minute; this.#wanderedAt++)
      this.#wander = 0.8 * this.#wander + 0.6 * (this.#random() - 0.5);
    const usual = LEAST_ROOM + (MOST_ROOM - LEAST_ROOM) * wave(hourOf(this.#time.now()), 4);
    return Math.max(1, Math.round(usual * (1 + this.#wander / 3)));
  }

  /** @param onEnd hears whether it was answered, when it ends. Of others' calls nothing is counted but how it is. */
  start(onEnd: (isOk: boolean) => void, isOthers = false): void {
    const isRefused = this.#inFlight >= this.room || this.#random() < shareAt(hourOf(this.#time.now()));
    this.#count(isRefused, isOthers);
    if (isRefused) {
      this.#time.at(this.#time.elapsed() + REFUSED_AFTER_MS, () => onEnd(false));
      return;
    }
    this.#inFlight++;
    this.#time.at(this.#time.elapsed() + this.#durationMs(), () => {
      this.#inFlight--;
      onEnd(true);
    });
  }

  call(): Promise<void> {
    return new Promise((resolve, reject) => this.start((isOk) => (isOk ? resolve() : reject(OVERLOADED))));
  }

  /** Calls and refusals of the last so many hours. */
  last(hours: number): { n: number; k: number } {
    const sum = { n: 0, k: 0 };
    for (const { n, k } of this.minutes.slice(-60 * hours)) {
      sum.n += n;
      sum.k += k;
    }
    return sum;
  }

  #count(isRefused: boolean, isOthers: boolean): void {
    if (!isOthers) {
      this.counts.calls++;
      if (isRefused) this.counts.refused++;
    }
    const minute = Math.floor(this.#time.elapsed() / MINUTE_MS);
    while (this.minutes.length <= minute) this.minutes.push({ n: 0, k: 0 });
    const now = this.minutes[minute];
    if (now === undefined) return;
    now.n++;
    if (isRefused) now.k++;
  }

  /** Lognormal. */
  #durationMs(): number {
    const normal = Math.sqrt(-2 * Math.log(1 - this.#random())) * Math.cos(2 * Math.PI * this.#random());
    return MEAN_CALL_MS * Math.exp(SPREAD * normal - (SPREAD * SPREAD) / 2);
  }
}
