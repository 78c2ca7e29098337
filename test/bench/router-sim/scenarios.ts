import { count, countCalls, mean, median } from "./measure.ts";
import { type Policy, type Run, type Scenario, simulate } from "./simulate.ts";
import { MODELS, type Model } from "./world.ts";

/** A: busy hours, brown-outs and outages, an ordinary day. */
export const MIXED: Scenario = {};
/** D: the other tenants want a sixth more than there is: most models fail four or six times in ten. */
export const HARSH: Scenario = { models: MODELS.map((model) => ({ ...model, peak: model.peak + 0.17 })) };
/** E: 144 requests an hour, day and night. */
export const QUIET: Scenario = { traffic: { constantPerS: 0.04, peakPerS: 0.04 } };

const OUTAGE_FROM_S = 9 * 3_600;
/** B: everybody is down from the tenth to the twentieth minute, at a request a second. */
const OUTAGE: Scenario = {
  fromS: OUTAGE_FROM_S,
  horizonS: 2_400,
  weather: { force: [{ from: OUTAGE_FROM_S + 600, to: OUTAGE_FROM_S + 1_200, state: 2 }] },
  traffic: { constantPerS: 1, peakPerS: 1 },
};

const SLOW = { from: 300, to: 420, slowness: 5 };
/** As long as a storm is watched after its trigger. */
export const NEVER_S = 1_380;
const OWN: Model = {
  id: "A1",
  provider: "A",
  tier: 1,
  quality: 1,
  meanS: 4,
  sigma: 0.5,
  slots: 100,
  perMinute: 1e6,
  burst: 1e6,
  peak: 0,
  peakHour: 0,
};
const SPARE: Model = { ...OWN, id: "B1", provider: "B", quality: 0.96, slots: 60 };

/** C: our calls are the load, 21 a second of 25; five times slower for two minutes. */
export const METASTABLE = {
  "one provider": { models: [OWN], queue: { A1: SLOW } },
  "with a fallback of 60 %": { models: [OWN, SPARE], queue: { A1: SLOW } },
} as const;

export interface OutageFigures {
  readonly attemptsPerRequest: number;
  /** Of the ten minutes after it. */
  readonly successAfter: number;
  /** Seconds from its end until nine of ten requests of 20 s are answered again. */
  readonly recoveryS: number;
}

export async function measureOutage(policy: Policy, seed: number): Promise<OutageFigures> {
  const run = await simulate(policy, seed, OUTAGE);
  const [from, to] = [OUTAGE_FROM_S + 600, OUTAGE_FROM_S + 1_200];
  const after = count(run, to, to + 600);
  return {
    attemptsPerRequest: countCalls(run, from, to) / count(run, from, to).requests,
    successAfter: after.served / after.requests,
    recoveryS: findRecovery(run, to, 0.9, 20, 600),
  };
}

/** Means, and the middle one of the recoveries. */
export const averageOutages = (runs: readonly OutageFigures[]): OutageFigures => ({
  attemptsPerRequest: mean(runs.map((run) => run.attemptsPerRequest)),
  successAfter: mean(runs.map((run) => run.successAfter)),
  recoveryS: median(runs.map((run) => run.recoveryS)),
});

export interface StormFigures {
  /** Shares answered in time: while it is slow, in minutes 7–15, in minutes 15–30. */
  readonly success: readonly [slow: number, soonAfter: number, later: number];
  readonly attemptsPerRequestAfter: number;
  /** Seconds from the end of the slowness until 95 % of 30 s are answered in time; `NEVER_S` is never. */
  readonly recoveryS: number;
}

export async function measureStorm(policy: Policy, seed: number, scenario: Scenario): Promise<StormFigures> {
  const run = await simulate(policy, seed, {
    ...scenario,
    horizonS: 1_800,
    traffic: { constantPerS: 21, peakPerS: 21 },
  });
  const share = (from: number, to: number) => {
    const { requests, served } = count(run, from, to);
    return served / requests;
  };
  const after = run.arrivals.findIndex((at) => at >= SLOW.to);
  const attempts = run.attempts.slice(after).reduce((sum, some) => sum + some, 0);
  return {
    success: [share(300, 420), share(420, 900), share(900, 1_800)],
    attemptsPerRequestAfter: attempts / (run.arrivals.length - after),
    recoveryS: findRecovery(run, SLOW.to, 0.95, 30, NEVER_S),
  };
}

/** Means, and the middle one of the recoveries. */
export function averageStorms(runs: readonly StormFigures[]): StormFigures {
  const of = (place: 0 | 1 | 2) => mean(runs.map(({ success }) => success[place]));
  return {
    success: [of(0), of(1), of(2)],
    attemptsPerRequestAfter: mean(runs.map((run) => run.attemptsPerRequestAfter)),
    recoveryS: median(runs.map((run) => run.recoveryS)),
  };
}

/** Seconds after `end` at which a stretch begins of whose requests the share is answered in time. */
function findRecovery(run: Run, end: number, share: number, stretchS: number, never: number): number {
  for (let after = 0; after + stretchS <= never; after += 5) {
    const { requests, served } = count(run, end + after, end + after + stretchS);
    if (requests > 0 && served / requests >= share) return after;
  }
  return never;
}
