import type { Job, LifeEvent } from "../../../../server/contract/job.ts";
import type { QueuesAnswer } from "../../../../server/contract/queue.ts";
import type { Formats } from "../../messages/formats.ts";
import type { QueueWords } from "./use-queue-words.ts";

/** What its submitter knows it by: its key, else its reference, else its number. */
export const nameJob = ({ id, key, reference }: Pick<Job, "id" | "key" | "reference">): string =>
  key ?? reference ?? `#${id}`;

/** Whom it calls; `null`: nobody is named. */
export function nameCalls(
  { target, chain }: Pick<Job, "target" | "chain">,
  { gates }: QueueWords,
): string | null {
  if (chain !== null) return gates.chain(chain);
  if (target === null) return null;
  return target.endpoint === null ? target.model : `${target.model} @ ${target.endpoint}`;
}

export const nameState = (job: Pick<Job, "state" | "isCancelAsked">, words: QueueWords): string =>
  job.state === "leased" && job.isCancelAsked ? words.cancelAsked : words.states[job.state];

/** Why it waits and until when; who has it; or its result or last error. `null`: there is nothing to say. */
export function tellWhy(job: Job, words: QueueWords, formats: Formats): string | null {
  const at = (text: string) => formats.dateTime(Date.parse(text));
  if (job.wait !== null) return tellWait(job, job.wait, words, formats);
  if (job.state === "leased")
    return job.worker === null || job.leasedUntil === null
      ? job.worker
      : words.life.leasedUntil(job.worker, at(job.leasedUntil));
  if (job.state === "completed") return job.result?.summary ?? job.result?.reference ?? null;
  return job.error;
}

function tellWait(
  { notAfter, expectedMs }: Job,
  { reason, until, expected }: NonNullable<Job["wait"]>,
  words: QueueWords,
  formats: Formats,
): string {
  if (until === null) return words.reasons[reason];
  const untilMs = Date.parse(until);
  const when = formats.dateTime(untilMs);
  // Its own latest time comes before the window does, so nothing of the window matters.
  const isLatest = notAfter !== null && Date.parse(notAfter) - expectedMs === untilMs;
  const rest = isLatest
    ? [words.atLatest(when)]
    : [words.until(when), ...(expected === null ? [] : [words.expected(formats.share(expected))])];
  return [words.reasons[reason], ...rest].join(words.comma);
}

/** One event of a life: what happened, and the rest of it. */
export function tellEvent(
  event: LifeEvent,
  words: QueueWords,
  formats: Formats,
): [what: string, rest: string] {
  const { life, reasons } = words;
  const { at, is, reason, until, worker, since, detail } = event;
  const isByPeople = is === "queued" || is === "retried" || is === "cancelAsked" || is === "cancelled";
  const rest = [
    ...(reason === null ? [] : [reasons[reason]]),
    ...(until === null ? [] : [life.waitsUntil(formats.dateTime(Date.parse(until)))]),
    ...(worker === null ? [] : [life.worker(worker)]),
    ...(since === null ? [] : [life.took(formats.duration(Date.parse(at) - Date.parse(since)))]),
    ...(detail === null || detail === "" ? [] : [isByPeople ? life.by(detail) : detail]),
  ];
  return [life.events[is], rest.join(words.comma)];
}

/** What holds a gate's jobs or lets them go, in words. */
export function tellGate(gate: QueuesAnswer["gates"][number], words: QueueWords, formats: Formats): string {
  const { reason, perMinute, window, drainBefore } = gate;
  const at = (text: string) => formats.dateTime(Date.parse(text));
  return [
    words.reasons[reason],
    ...(perMinute === null ? [] : [words.gates.perMinute(formats.count(perMinute))]),
    ...(window === null
      ? []
      : [
          words.gates.window(
            at(window.from),
            formats.time(Date.parse(window.to)),
            formats.share(window.expected),
          ),
        ]),
    ...(drainBefore === null ? [] : [words.gates.drain(at(drainBefore))]),
  ].join(words.semicolon);
}
