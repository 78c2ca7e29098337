import { createRandom } from "../../../sdk/src/router/virtual-time.ts";
import { binomial, exponential, hashUniform, lognormal, poisson } from "./chance.ts";

/** A model as the simulated world has it. Times in seconds. */
export interface Model {
  readonly id: string;
  readonly provider: string;
  readonly tier: number;
  /** What an answer is worth, 0–1. */
  readonly quality: number;
  readonly meanS: number;
  readonly sigma: number;
  /** Slots shared with all other tenants. */
  readonly slots: number;
  /** Our own limit, and how much of it may come at once. */
  readonly perMinute: number;
  readonly burst: number;
  /** Load of the other tenants at its busiest hour, in parts of the slots. */
  readonly peak: number;
  readonly peakHour: number;
}

/** Five models at three providers, the best first. */
export const MODELS: readonly Model[] = [
  {
    id: "A1",
    provider: "A",
    tier: 1,
    quality: 1,
    meanS: 6,
    sigma: 0.5,
    slots: 60,
    perMinute: 60,
    burst: 15,
    peak: 0.76,
    peakHour: 15,
  },
  {
    id: "B1",
    provider: "B",
    tier: 1,
    quality: 0.96,
    meanS: 7,
    sigma: 0.5,
    slots: 60,
    perMinute: 60,
    burst: 15,
    peak: 0.77,
    peakHour: 17,
  },
  {
    id: "A2",
    provider: "A",
    tier: 2,
    quality: 0.85,
    meanS: 3.5,
    sigma: 0.5,
    slots: 80,
    perMinute: 120,
    burst: 20,
    peak: 0.72,
    peakHour: 15,
  },
  {
    id: "C1",
    provider: "C",
    tier: 2,
    quality: 0.83,
    meanS: 4,
    sigma: 0.5,
    slots: 60,
    perMinute: 120,
    burst: 20,
    peak: 0.72,
    peakHour: 14,
  },
  {
    id: "C2",
    provider: "C",
    tier: 3,
    quality: 0.7,
    meanS: 2,
    sigma: 0.5,
    slots: 100,
    perMinute: 240,
    burst: 40,
    peak: 0.62,
    peakHour: 14,
  },
];

export const DAY_S = 86_400;
export const DEADLINE_S = 60;

/** How a call ends, and after how long; `Infinity` is a call that hangs. */
export interface Reply {
  readonly kind: "ok" | "capacity" | "rate" | "server" | "hang";
  readonly afterS: number;
  /** What the provider asks to wait. */
  readonly retryAfterS?: number;
  /** For how long it takes one of our slots, whether or not we go on listening. */
  readonly slotS?: number;
}

export interface Server {
  /** 0 well, 1 short of capacity, 2 down. */
  stateAt(t: number): 0 | 1 | 2;
  readonly spells: readonly Spell[];
  /** @param request its number @param attempt its own number, from 0 */
  serve(t: number, request: number, attempt: number): Reply;
  /** A call of ours takes, or gives back, a slot. */
  ours(change: 1 | -1): void;
}

/** A time in which a provider is not well. */
export interface Spell {
  readonly from: number;
  readonly to: number;
  readonly state: 1 | 2;
  /** Whether only its best model suffers. */
  readonly topOnly?: boolean;
}

export interface Weather {
  readonly meanToPartialS: number;
  readonly partialS: number;
  readonly meanToFullS: number;
  readonly fullS: number;
  /** These spells and no others. */
  readonly force?: readonly Spell[];
}

export const WEATHER: Weather = {
  meanToPartialS: 6 * 3_600,
  partialS: 720,
  meanToFullS: 12 * 3_600,
  fullS: 480,
};

function bump(hour: number, centre: number, width: number): number {
  const apart = Math.abs(hour - centre) % 24;
  const distance = Math.min(apart, 24 - apart);
  return Math.exp(-(distance * distance) / (2 * width * width));
}

/** Brown-outs and outages of one provider, as a Markov chain makes them. */
function drawSpells(seed: number, provider: string, horizonS: number, weather: Weather): Spell[] {
  const random = createRandom(seed * 7_919 + provider.charCodeAt(0) * 104_729);
  const spells: Spell[] = [];
  let t = 0;
  for (;;) {
    const toPartial = exponential(random(), weather.meanToPartialS);
    const toFull = exponential(random(), weather.meanToFullS);
    const isPartial = toPartial < toFull;
    t += Math.min(toPartial, toFull);
    const lastsS = Math.max(60, exponential(random(), isPartial ? weather.partialS : weather.fullS));
    const isScoped = random() < 0.6;
    if (t >= horizonS) return spells;
    spells.push({ from: t, to: t + lastsS, state: isPartial ? 1 : 2, topOnly: isPartial && isScoped });
    t += lastsS;
  }
}

const numberOf = (id: string) => id.charCodeAt(0) * 8 + id.charCodeAt(1);

/** How soon an error comes back. */
const errorS = (u: number) => 0.1 + lognormal(u, 0.25, 0.5);

/** Slots that we share with other tenants, who retry as everybody does: an outage leaves a queue of them behind. */
export class SharedServer implements Server {
  readonly spells: readonly Spell[];
  readonly #model: Model;
  readonly #seed: number;
  readonly #random: () => number;
  #spell = 0;
  #second: number;
  #ours = 0;
  #others: number;
  #returning = 0;
  #rejections = 0;
  #rejected = 0;
  #tokens: number;
  #tokensAt: number;

  constructor(model: Model, seed: number, fromS: number, horizonS: number, weather: Weather) {
    this.#model = model;
    this.#seed = seed;
    this.#random = createRandom(seed * 131 + model.id.charCodeAt(0) * 31 + model.id.charCodeAt(1));
    const spells = weather.force ?? drawSpells(seed, model.provider, horizonS, weather);
    this.spells = spells.filter(({ topOnly }) => topOnly !== true || model.tier === 1 || model.id === "C1");
    this.#others = binomial(this.#random(), model.slots, 0.4);
    this.#second = fromS;
    this.#tokens = model.burst;
    this.#tokensAt = fromS;
  }

  stateAt(t: number): 0 | 1 | 2 {
    while ((this.spells[this.#spell]?.to ?? Number.POSITIVE_INFINITY) <= t) this.#spell++;
    const spell = this.spells[this.#spell];
    return spell !== undefined && spell.from <= t ? spell.state : 0;
  }

  ours(change: 1 | -1): void {
    this.#ours += change;
  }

  serve(t: number, request: number, attempt: number): Reply {
    this.#advance(t);
    const { perMinute, burst, meanS, sigma } = this.#model;
    const state = this.stateAt(t);
    const u = (k: number) => hashUniform(this.#seed, request, attempt, numberOf(this.#model.id), k);
    const fastS = errorS(u(1));
    const perS = perMinute / 60;
    this.#tokens = Math.min(burst, this.#tokens + (t - this.#tokensAt) * perS);
    this.#tokensAt = t;
    if (this.#tokens < 1) {
      this.#rejected += 0.2;
      return { kind: "rate", afterS: fastS, retryAfterS: Math.max(1, Math.ceil((1 - this.#tokens) / perS)) };
    }
    this.#tokens -= 1;
    if (state === 2 && u(2) < 0.97) {
      if (u(3) < 0.15) return { kind: "hang", afterS: Number.POSITIVE_INFINITY };
      return this.#full(fastS, u(4), 10 + 20 * u(5));
    }
    const slots = this.#slots(state);
    const busy = this.#others + this.#ours;
    if (busy >= Math.floor(slots)) return this.#full(fastS, u(4), 1 + 4 * u(5));
    const load = busy / Math.max(1, slots);
    const slowness = (state === 1 ? 1.5 : 1) * (1 + 0.6 * Math.max(0, (load - 0.85) / 0.15));
    const lastsS = Math.max(0.3, lognormal(u(6), meanS, sigma)) * slowness;
    if (u(7) < 0.003) return { kind: "server", afterS: lastsS * u(8), slotS: lastsS * u(8) };
    return { kind: "ok", afterS: lastsS, slotS: lastsS };
  }

  /** Three in ten say how long to wait. */
  #full(afterS: number, says: number, waitS: number): Reply {
    this.#rejected++;
    return { kind: "capacity", afterS, ...(says < 0.3 ? { retryAfterS: Math.ceil(waitS) } : {}) };
  }

  /** Each rejection costs 0.15 of a slot for a second. */
  #slots(state: 0 | 1 | 2): number {
    return this.#model.slots * (state === 1 ? 0.55 : 1) - 0.15 * this.#rejections;
  }

  /** The other tenants, second by second: six in ten of the rejected come back after some 5 s. */
  #advance(t: number): void {
    const { meanS, slots, peak, peakHour } = this.#model;
    for (const until = Math.floor(t); this.#second < until; this.#second++) {
      const state = this.stateAt(this.#second);
      const serviceS = meanS * (state === 1 ? 1.5 : 1);
      this.#others -= binomial(this.#random(), this.#others, 1 - Math.exp(-1 / serviceS));
      const back = binomial(this.#random(), this.#returning, 1 - Math.exp(-1 / 5));
      this.#returning -= back;
      const load = 0.42 + (peak - 0.42) * bump((this.#second / 3_600) % 24, peakHour, 4);
      const arriving = poisson(this.#random(), (load * slots) / meanS) + back;
      const free = state === 2 ? 0 : Math.max(0, Math.floor(this.#slots(state)) - this.#others - this.#ours);
      const admitted = Math.min(arriving, free);
      this.#others += admitted;
      const turnedAway = arriving - admitted;
      const mayReturn = 400 - Math.min(400, this.#returning);
      this.#returning += Math.min(mayReturn, binomial(this.#random(), turnedAway, 0.6));
      this.#rejections += (turnedAway + this.#rejected - this.#rejections) * 0.2;
      this.#rejected = 0;
    }
  }
}

/** A queue before slots that are ours alone. Work whose caller gave up is done all the same: what storms are made of. */
export class QueueServer implements Server {
  readonly spells: readonly Spell[];
  readonly #model: Model;
  readonly #seed: number;
  readonly #slowness: number;
  /** When each slot is free. */
  readonly #free: Float64Array;

  constructor(model: Model, seed: number, spells: readonly Spell[], slowness: number) {
    this.#model = model;
    this.#seed = seed;
    this.#slowness = slowness;
    this.spells = spells;
    this.#free = new Float64Array(model.slots);
  }

  stateAt(t: number): 0 | 1 | 2 {
    return this.spells.find(({ from, to }) => from <= t && t < to)?.state ?? 0;
  }

  ours(): void {}

  serve(t: number, request: number, attempt: number): Reply {
    const u = (k: number) => hashUniform(this.#seed, request, attempt, numberOf(this.#model.id), k);
    let slot = 0;
    for (let i = 1; i < this.#free.length; i++) {
      if ((this.#free[i] ?? 0) < (this.#free[slot] ?? 0)) slot = i;
    }
    const start = Math.max(t, this.#free[slot] ?? 0);
    if (start - t > 60) return { kind: "capacity", afterS: errorS(u(1)) };
    const serviceS =
      lognormal(u(6), this.#model.meanS, this.#model.sigma) * (this.stateAt(start) > 0 ? this.#slowness : 1);
    this.#free[slot] = start + serviceS;
    return { kind: "ok", afterS: start + serviceS - t };
  }
}

export interface Traffic {
  readonly nightPerS: number;
  readonly peakPerS: number;
  readonly constantPerS?: number;
}

export const TRAFFIC: Traffic = { nightPerS: 0.12, peakPerS: 1.3 };

/** When requests come, in seconds: a Poisson stream with its peak at 15:00. */
export function drawArrivals(seed: number, fromS: number, horizonS: number, traffic: Traffic): number[] {
  const random = createRandom(seed * 6_151 + 17);
  const arrivals: number[] = [];
  const { nightPerS, peakPerS, constantPerS } = traffic;
  for (let t = 0; t < horizonS; ) {
    t += exponential(random(), 1 / peakPerS);
    const rate = constantPerS ?? nightPerS + (peakPerS - nightPerS) * bump((t / 3_600) % 24, 15, 3.5);
    if (t < horizonS && random() < rate / peakPerS) arrivals.push(t);
  }
  return arrivals.filter((t) => t >= fromS);
}
