import { describeEpisode, isWorthTelling } from "../../../server/episodes/describe-episode.ts";
import {
  DEFAULT_STATES,
  findStretches,
  followStretches,
  type Minute,
  type Stretch,
} from "../../../server/episodes/two-states.ts";
import { exponential } from "./draws.ts";
import { createRandom, judge, median } from "./numbers.ts";

const MINUTE_MS = 60_000;
const MINUTES = 7 * 24 * 60;

interface EpisodeWorld {
  readonly minutes: readonly Minute[];
  /** True episodes, minutes since the start. */
  readonly episodes: readonly { readonly from: number; readonly to: number }[];
}

/** A week of calls: normal at 1–4 %, and every five hours busy at 25–70 % for 8 minutes and more, 33 on average. */
function makeEpisodeWorld(seed: number, callsPerHour: number): EpisodeWorld {
  const random = createRandom(seed);
  const sums = new Map<number, { k: number; n: number }>();
  const episodes: { from: number; to: number }[] = [];
  let isBusy = false;
  let next = exponential(random, 300);
  let share = 0.01 + 0.03 * random();
  for (let at = 0; ; ) {
    at += exponential(random, 60 / callsPerHour);
    for (; at >= next; isBusy = !isBusy) {
      share = isBusy ? 0.01 + 0.03 * random() : 0.25 + 0.45 * random();
      const from = next;
      next += isBusy ? exponential(random, 300) : 8 + exponential(random, 25);
      if (!isBusy) episodes.push({ from, to: Math.min(next, MINUTES) });
    }
    if (at >= MINUTES) break;
    const minute = Math.floor(at);
    const sum = sums.get(minute) ?? { k: 0, n: 0 };
    sum.n += 1;
    if (random() < share) sum.k += 1;
    sums.set(minute, sum);
  }
  const minutes = [...sums.entries()].map(([minute, sum]) => ({ startMs: minute * MINUTE_MS, ...sum }));
  return { minutes, episodes: episodes.filter(({ from }) => from < MINUTES) };
}

const WANTED: readonly (readonly [number, number])[] = [
  [30, 0.65],
  [120, 0.87],
  [600, 0.95],
];

/** How much of what was found and what was true is both, live and after the nightly pass. */
export function reportEpisodes(replicates: number): void {
  console.log(`\nepisodes of a week, ${replicates} made worlds: minutes in both over minutes in either`);
  for (const [callsPerHour, wanted] of WANTED) {
    const live = createTally();
    const nightly = createTally();
    for (let i = 0; i < replicates; i++) {
      const world = makeEpisodeWorld(70_000 + 5 * i + callsPerHour, callsPerHour);
      const tell = (stretches: readonly Stretch[]) =>
        stretches.filter((stretch) => isWorthTelling(describeEpisode(world.minutes, stretch)));
      live.add(world, tell(followStretches(world.minutes, DEFAULT_STATES, MINUTES * MINUTE_MS)));
      nightly.add(world, tell(findStretches(world.minutes, DEFAULT_STATES)));
    }
    console.log(
      `  ${String(callsPerHour).padStart(3)} calls/h: live ${live.overlap().toFixed(3)}, nightly ${nightly.overlap().toFixed(3)}, ` +
        `start off by ${nightly.startError().toFixed(1)} min, false ${(100 * nightly.falseShare()).toFixed(1)} %   ` +
        judge(nightly.overlap() >= wanted, `≥ ${wanted}`),
    );
  }
}

function createTally() {
  let [both, either, found, wrong] = [0, 0, 0, 0];
  const startErrors: number[] = [];
  return {
    add({ episodes }: EpisodeWorld, stretches: readonly Stretch[]) {
      const told = stretches.map(({ fromMs, toMs }) => ({ from: fromMs / MINUTE_MS, to: toMs / MINUTE_MS }));
      const mark = (spans: readonly { from: number; to: number }[]) => {
        const marks = new Uint8Array(MINUTES);
        for (const { from, to } of spans) marks.fill(1, Math.floor(from), Math.ceil(to));
        return marks;
      };
      const [truth, seen] = [mark(episodes), mark(told)];
      truth.forEach((is, at) => {
        if (is === 1 && seen[at] === 1) both++;
        if (is === 1 || seen[at] === 1) either++;
      });
      found += told.length;
      wrong += told.filter((one) => !episodes.some(({ from, to }) => one.from < to && one.to > from)).length;
      for (const { from, to } of episodes) {
        const first = told.find((one) => one.from < to && one.to > from);
        if (first !== undefined) startErrors.push(Math.abs(first.from - from));
      }
    },
    overlap: () => both / either,
    falseShare: () => wrong / Math.max(1, found),
    startError: () => median(startErrors),
  };
}
