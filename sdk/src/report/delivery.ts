import type { ProblemCode, Verdict } from "./judge-answer.ts";
import type { PostBatch } from "./post-batch.ts";
import type { Batch, EventStore, ReporterNote, WaitingEvent } from "./store.ts";

/** How often a batch that the server refuses as a whole is tried: a proxy may have broken it once. */
const TRIES_OF_REFUSED = 2;

/** The books of a reporter, as delivery writes them. */
export interface DeliveryListener {
  /** What this reporter has lost and the server has not been told yet, or `null`. */
  findNote(): ReporterNote | null;
  onTold(note: ReporterNote): void;
  onSettled(stored: number, rejected: number): void;
  onLost(events: readonly WaitingEvent[]): void;
  onProblem(code: ProblemCode, message: string): void;
}

/** Why nothing more can be sent for now. */
export interface Failure {
  readonly code: ProblemCode;
  readonly message: string;
  /** The server asked to be left alone for so many milliseconds. */
  readonly askedMs: number | null;
}

export type Step =
  | { readonly kind: "settled"; readonly events: number }
  | { readonly kind: "empty" }
  | { readonly kind: "failed"; readonly failure: Failure };

/** The batch under way; one that was too large is in several parts. */
interface Current {
  readonly batch: Batch;
  readonly parts: (readonly WaitingEvent[])[];
  refusals: number;
}

export interface Delivery {
  /**
   * Sends the oldest part once and writes down what became of it. When `isStale` says so after a wait, somebody
   * else has taken over meanwhile and nothing is written down.
   */
  sendNext(signal: AbortSignal, isStale: () => boolean): Promise<Step>;
  /** Tells the server of lost events when there is nothing else to send it with. */
  sendNote(signal: AbortSignal, isStale: () => boolean): Promise<Step>;
}

const EMPTY: Step = { kind: "empty" };

export function createDelivery(
  store: EventStore,
  post: PostBatch,
  listener: DeliveryListener,
  maxBatchEvents: number,
): Delivery {
  let current: Current | null = null;
  let maxPartEvents = maxBatchEvents;

  function divide(batch: Batch): Current {
    const parts: WaitingEvent[][] = [];
    for (let from = 0; from < batch.events.length; from += maxPartEvents) {
      parts.push(batch.events.slice(from, from + maxPartEvents));
    }
    return { batch, parts: parts.length === 0 ? [[]] : parts, refusals: 0 };
  }

  /** `null`: the part has been judged and is over. */
  function applyVerdict(verdict: Verdict, part: readonly WaitingEvent[], { parts }: Current): Step | null {
    switch (verdict.kind) {
      case "later":
        return { kind: "failed", failure: verdict };
      case "taken":
        listener.onSettled(part.length - verdict.rejected, verdict.rejected);
        if (verdict.firstFault !== null) listener.onProblem("rejected", verdict.firstFault);
        return null;
      case "tooLarge":
        if (part.length > 1) {
          maxPartEvents = Math.ceil(part.length / 2);
          parts.splice(0, 1, part.slice(0, maxPartEvents), part.slice(maxPartEvents));
          return { kind: "settled", events: 0 };
        }
        listener.onLost(part);
        listener.onProblem("refused", "the server finds even a single event too large (413)");
        return null;
      case "refused":
        listener.onLost(part);
        listener.onProblem("refused", verdict.message);
        return null;
    }
  }

  return {
    async sendNext(signal, isStale) {
      if (current === null) {
        const batch = await store.next();
        if (isStale() || batch === null) return EMPTY;
        current ??= divide(batch);
      }
      const mine = current;
      const part = mine.parts[0] ?? [];
      const note = mine.batch.note ?? listener.findNote();
      const verdict = await post(part, note, signal);
      if (isStale()) return EMPTY;
      if (verdict.kind === "refused" && ++mine.refusals < TRIES_OF_REFUSED) {
        return { kind: "failed", failure: { code: "refused", message: verdict.message, askedMs: null } };
      }
      if (verdict.kind === "taken" && note !== null && note !== mine.batch.note) listener.onTold(note);
      const step = applyVerdict(verdict, part, mine);
      if (step !== null) return step;
      mine.refusals = 0;
      mine.parts.shift();
      if (mine.parts.length === 0) current = null;
      await store.settle(mine.batch, part.length);
      return { kind: "settled", events: part.length };
    },

    async sendNote(signal, isStale) {
      const note = listener.findNote();
      if (note === null) return EMPTY;
      const verdict = await post([], note, signal);
      if (isStale()) return EMPTY;
      if (verdict.kind === "later") return { kind: "failed", failure: verdict };
      // A server that will not hear of it is not asked again until more is lost.
      listener.onTold(note);
      return EMPTY;
    },
  };
}
