import type { AttemptEvent } from "../attempt-event.ts";
import type { Failure } from "../classify/classification.ts";
import type { Attempt } from "../observe/attempt.ts";
import { readBody } from "../observe/body-observer.ts";
import { quietly } from "../observe/body-watch.ts";
import { readClientError } from "../observe/client-error.ts";
import type { Classify } from "../observe/options.ts";
import { createRecorder, type Recorder } from "../observe/recorder.ts";
import { runCovered } from "../observe/scope.ts";
import type { BodyFacts } from "../observe/sse.ts";
import { makeTarget } from "../observe/target.ts";
import type { Outcome } from "../outcome.ts";
import type { Report } from "../report/report.ts";
import { createUuidV7 } from "../report/uuid-v7.ts";
import type { Link } from "./course.ts";
import type { RouterSystem } from "./system.ts";

/** What is told of an attempt's end beyond its outcome. */
export interface LogEnd {
  readonly outcome: Outcome;
  readonly error?: unknown;
  readonly status?: number | null;
  readonly retryAfterMs?: number | null;
  /** The answer, for its usage. */
  readonly answer?: unknown;
  readonly isStream?: boolean;
  readonly facts?: BodyFacts;
}

/** Tells a server of the attempts of one request. */
export interface RequestLog {
  begin(attempt: number, link: Link): AttemptLog;
  /** The last attempt was the final one. */
  end(): void;
}

export interface AttemptLog {
  /** Runs the call so that hooks below it do not record it once more; `null` where nobody is told. */
  readonly cover: (<T>(run: () => T) => T) | null;
  now(): number;
  end(end: LogEnd): void;
}

/** How requests are told of; without a report, nobody is told. */
export type StartLog = (requestId: string | undefined) => RequestLog;

export interface LogOptions {
  readonly report: Report | undefined;
  readonly source: string | undefined;
  readonly chain: string;
  readonly classify: Classify;
  readonly system: RouterSystem;
}

export function createLogs({ report, source, chain, classify, system }: LogOptions): StartLog {
  if (report === undefined) return () => SILENT;
  const recorder = createRecorder({
    report,
    chain,
    classify,
    system,
    ...(source === undefined ? {} : { source }),
  });
  const makeId = createUuidV7((bytes) => system.fillRandom(bytes));
  return (requestId) => {
    const id = requestId ?? makeId(system.now());
    return {
      begin: (attempt, link) => beginLog(recorder, id, attempt, link),
      end: () => {
        quietly(() => recorder.endOf(id));
      },
    };
  };
}

const UNLOGGED: AttemptLog = { cover: null, now: () => 0, end() {} };
const SILENT: RequestLog = { begin: () => UNLOGGED, end() {} };

function beginLog(recorder: Recorder, requestId: string, number: number, link: Link): AttemptLog {
  const { provider, model, endpoint, account } = link.target;
  const labels: Partial<AttemptEvent> = {
    position: link.position,
    ...(account === undefined ? {} : { account }),
  };
  const attempt = quietly(() =>
    recorder.beginOf(requestId, number, makeTarget(provider, model, endpoint ?? null), labels),
  );
  if (attempt === undefined) return UNLOGGED;
  return {
    cover: runCovered,
    now: () => attempt.now(),
    end: (end) => {
      quietly(() => endLog(attempt, end));
    },
  };
}

function endLog(attempt: Attempt, end: LogEnd): void {
  const { error: _, ...said } =
    end.answer === undefined ? ({} as BodyFacts) : readBody(end.answer, "json", 0);
  const isFailure = end.outcome !== "ok" && end.outcome !== "cancelled";
  attempt.end({
    status: end.status ?? undefined,
    outcome: end.outcome,
    isStream: end.isStream ?? false,
    facts: { ...said, ...end.facts },
    ...(isFailure ? { failure: failureOf(end) } : {}),
  });
}

/** An error body stands for itself; what was thrown may carry the one that it was made of. */
function failureOf({ error, status }: LogEnd): Failure {
  const own = { status: status ?? undefined };
  if (typeof error !== "object" || error === null) return { ...own, exception: error };
  if (!(error instanceof Error)) return { ...own, body: error };
  const { body } = readClientError(error);
  const inner = (error as { error?: unknown }).error;
  const carried =
    typeof inner === "object" && inner !== null ? ("error" in inner ? inner : { error: inner }) : undefined;
  return { ...own, exception: error, body: body ?? carried };
}
