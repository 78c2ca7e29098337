import { type KeptJob, type LeaseEnd, ScriptedQueue } from "../../../sdk/src/queue/scripted-queue.ts";
import { work } from "../../../sdk/src/queue/work.ts";
import { ALL_DAYS, bestWindow } from "../../../server/advice/choose-window.ts";
import { toCell } from "../../../server/capacity/cell.ts";
import { judgeNow } from "../../../server/capacity/judge-now.ts";
import type { Profile } from "../../../server/profile/estimate-profile.ts";
import { decideEnding, type Ending } from "../../../server/queue/decide-ending.ts";
import {
  decideGate,
  type GateBefore,
  type GateVerdict,
  type LearntTarget,
} from "../../../server/queue/decide-gate.ts";
import { findDrainBefore } from "../../../server/queue/drain.ts";
import { paceOf } from "../../../server/queue/pace.ts";
import { shareAt } from "./provider.ts";
import { LATEST_MS, type Way, type World } from "./ways.ts";

const MINUTE_MS = 60_000;
const EXPECTED_MS = 60_000;
const OF_OTHERS_A_MINUTE = 4;

/** Hours as the product learns them, here known exactly: the estimating has benches of its own. */
function learnHours(): LearntTarget {
  const rates = Array.from({ length: 168 }, (_, hour) => shareAt((hour % 24) + 0.5));
  const profile = { rates, traffic: rates.map(() => 1) } as unknown as Profile;
  const window = bestWindow(profile, ALL_DAYS, { lengthHours: 3, allowed: () => true });
  return { verdict: "advise", windows: window === null ? [] : [window] };
}

/** The server's gate, judged each minute by its own rules, over figures that are counted here. */
class Gate {
  readonly #world: World;
  readonly #learnt = learnHours();
  readonly #queue: () => ScriptedQueue;
  #before: GateBefore = { isOpen: false, reason: "notJudged", perMinute: null, calmSinceMs: null };
  #verdict: GateVerdict | null = null;
  #portion = 0;
  #drainBeforeMs = Number.NEGATIVE_INFINITY;
  readonly #took = { count: 0, ms: 0 };
  readonly #leasedAt = new Map<number, number>();

  constructor(world: World, queue: () => ScriptedQueue) {
    this.#world = world;
    this.#queue = queue;
  }

  get isOpen(): boolean {
    return this.#verdict?.isOpen === true && (this.#verdict.perMinute === null || this.#portion > 0);
  }

  get dueBeforeMs(): number {
    return this.#drainBeforeMs;
  }

  leased(id: number): void {
    this.#portion--;
    this.#leasedAt.set(id, this.#world.time.elapsed());
  }

  done(id: number): void {
    this.#took.count++;
    this.#took.ms += this.#world.time.elapsed() - (this.#leasedAt.get(id) ?? 0);
  }

  judge(): void {
    const { time, provider } = this.#world;
    const nowMs = time.now();
    const [one, three] = [provider.last(1), provider.last(3)];
    const { state, cell } = judgeNow(toCell(one.k, one.n), toCell(three.k, three.n));
    const verdict = decideGate({
      mode: "window",
      zone: "UTC",
      nowMs,
      waiting: this.#queue().waiting,
      targets: [{ learnt: this.#learnt, present: { state, rate: cell.rate, hasEpisode: false } }],
      before: this.#before,
    });
    this.#portion = verdict.perMinute ?? 0;
    this.#before = verdict;
    this.#verdict = verdict;
    this.#drainBeforeMs = this.#findDrain(nowMs) - (nowMs - time.elapsed());
  }

  #findDrain(nowMs: number): number {
    const seen = [...this.#queue().concurrency].map(([worker, concurrency]) => ({
      queue: "q",
      worker,
      concurrency,
      lastSeenAt: new Date(nowMs),
    }));
    const { count, ms } = this.#took;
    const dueMs = nowMs - this.#world.time.elapsed() + LATEST_MS - EXPECTED_MS;
    const dues = [{ atMs: dueMs, count: this.#queue().waiting }];
    const pace = paceOf(seen, count === 0 ? null : ms / count, nowMs);
    return findDrainBefore(dues, pace, nowMs) ?? Number.NEGATIVE_INFINITY;
  }
}

/** How long a job that was put back waits: by the server's own rules. */
function pauseByTheServer({ failures, busy }: KeptJob, end: LeaseEnd): number {
  const ending: Ending =
    end.is === "failed" || end.is === "busy" || end.is === "stopped"
      ? { error: "", ...end }
      : end.is === "lost"
        ? end
        : { is: "completed", result: null };
  const before = {
    failureCount: failures - (end.is === "failed" ? 1 : 0),
    busyCount: busy - (end.is === "busy" ? 1 : 0),
  };
  return decideEnding({ ...before, maxAttempts: 20, cancelAskedAt: null }, ending, 0).readyMs ?? 0;
}

/** The real workers, before a queue in memory that goes by the server's own rules. */
export function ours(workers: number): Way {
  return {
    name: "busyhour",
    begin(world, onDone) {
      const { time, provider } = world;
      const gate: Gate = new Gate(world, () => queue);
      const queue: ScriptedQueue = new ScriptedQueue(time, {
        isOpen: () => gate.isOpen,
        dueBeforeMs: () => gate.dueBeforeMs,
        onLeased: ({ id }) => gate.leased(id),
        pauseMs: pauseByTheServer,
      });
      queue.isListening = false;
      for (let job = 0; job < world.jobs; job++) queue.submit({ dueMs: LATEST_MS - EXPECTED_MS });
      let isOver = false;
      const everyMinute = () => {
        if (isOver) return;
        // What people ask meanwhile tells how it is.
        for (let i = 0; i < OF_OTHERS_A_MINUTE; i++)
          time.at(time.elapsed() + time.random() * MINUTE_MS, () => provider.start(() => {}, true));
        gate.judge();
        time.at(time.elapsed() + MINUTE_MS, everyMinute);
      };
      queueMicrotask(everyMinute);
      const team = Array.from({ length: workers }, (_, i) =>
        work(
          "q",
          async ({ id }) => {
            await provider.call();
            gate.done(id);
            onDone(id);
          },
          {
            url: "http://busyhour.test",
            key: "k",
            name: `worker-${i + 1}`,
            fetch: queue.fetch,
            system: time,
            onProblem: () => {},
          },
        ),
      );
      return {
        async end() {
          isOver = true;
          await Promise.all(team.map((one) => one.stop()));
        },
      };
    },
  };
}
