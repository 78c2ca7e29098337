import type { AttemptEvent } from "../attempt-event.ts";
import { classify } from "../classify/classify.ts";
import type { Report } from "../report/report.ts";
import { realSystem } from "../report/system.ts";
import { createUuidV7 } from "../report/uuid-v7.ts";
import { Attempt, type RecorderParts } from "./attempt.ts";
import { quietly } from "./body-watch.ts";
import { IdleBodies } from "./idle-bodies.ts";
import { InFlight } from "./in-flight.ts";
import type { ObserveOptions, ObserveSystem } from "./options.ts";
import { type RequestMark, RetryGroups } from "./retry-groups.ts";
import { findScope, type Scope } from "./scope.ts";
import type { Target } from "./target.ts";

/** Records attempts: numbers them, times them, names how they end, and reports them. Shared by every kind of hook. */
export interface Recorder {
  /** @param mark by what repetitions of the same request will be known */
  begin(target: Target, mark: RequestMark): Attempt;
  /**
   * The same, of a request whose attempts are made one after the other by somebody who says when it is over.
   *
   * @param attempt its number, from 1
   * @param labels what is said of this attempt alone
   */
  beginOf(requestId: string, attempt: number, target: Target, labels: Partial<AttemptEvent>): Attempt;
  /** No further attempt at the request follows: its last one is final. */
  endOf(requestId: string): void;
  readonly idle: IdleBodies;
  readonly system: ObserveSystem;
}

const system: ObserveSystem = {
  now: realSystem.now,
  elapsed: () => performance.now(),
  setTimer: realSystem.setTimer,
  fillRandom: realSystem.fillRandom,
};

interface Shared extends Pick<RecorderParts, "groups" | "inFlight"> {
  readonly idle: IdleBodies;
}

/** What hooks that report to the same place share: a retry through another hook is still a retry. */
const sharedBy = new WeakMap<Report, Shared>();

function share(options: ObserveOptions, report: Report, clock: ObserveSystem): Shared {
  const known = sharedBy.get(options.report);
  if (known !== undefined) return known;
  const shared: Shared = {
    groups: new RetryGroups(report, clock),
    inFlight: new InFlight(),
    idle: new IdleBodies(clock),
  };
  sharedBy.set(options.report, shared);
  quietly(() => options.report.onFlush?.(() => shared.groups.flush()));
  return shared;
}

/** Reports every failed attempt that still waits to be told from a final one, as final. */
export function flushObserved(report: Report): void {
  sharedBy.get(report)?.groups.flush();
}

export function createRecorder(options: ObserveOptions): Recorder {
  const clock = options.system ?? system;
  const labels = {
    ...(options.source === undefined ? {} : { source: options.source }),
    ...(options.account === undefined ? {} : { account: options.account }),
    ...(options.chain === undefined ? {} : { chain: options.chain }),
  };
  const report = (event: AttemptEvent) => {
    try {
      options.report(event);
    } catch {
      // Reporting never disturbs the caller.
    }
  };
  const { idle, groups, inFlight } = share(options, report, clock);
  const parts: RecorderParts = {
    classify: options.classify ?? classify,
    groups,
    inFlight,
    labels,
    makeId: createUuidV7((bytes) => clock.fillRandom(bytes)),
    report,
    system: clock,
  };

  function begin(target: Target, ownMark: RequestMark): Attempt {
    const scope = findScope();
    const mark = scope === null ? ownMark : markIn(scope, ownMark);
    const attempt = new Attempt(target, mark, groups.join(mark), scope?.requestId ?? null, parts);
    if (scope !== null && scope.requestId !== null && scope.attempts++ === 0) {
      scope.onEnd.push(() => groups.flush(mark.requestKey ?? ""));
    }
    return attempt;
  }

  function beginOf(requestId: string, attempt: number, target: Target, own: Partial<AttemptEvent>): Attempt {
    const mark = { url: "", body: null, retryCount: attempt - 1, requestKey: requestId };
    const place = groups.join(mark);
    return new Attempt(target, mark, place, requestId, { ...parts, labels: { ...labels, ...own } });
  }

  const endOf = (requestId: string) => groups.flush(requestId);

  return { begin, beginOf, endOf, idle, system: clock };
}

/** Within one request, its id is what all of its attempts have in common. */
function markIn(scope: Scope, mark: RequestMark): RequestMark {
  return scope.requestId === null
    ? mark
    : { ...mark, requestKey: scope.requestId, retryCount: scope.attempts };
}
