import type { AttemptEvent } from "@busyhour/sdk";
import type { ImportSink, SinkAnswer } from "./sink.ts";

/** Events of one file with the lines they came from. */
export interface Batch {
  readonly file: string;
  readonly events: AttemptEvent[];
  readonly lines: number[];
}

export interface BatchSender {
  /** Returns when the batch is on its way, which may be after another one has arrived. @throws what a send threw */
  send(batch: Batch): Promise<void>;
  /** Returns when nothing is under way any more. @throws what a send threw */
  drain(): Promise<void>;
}

/** Keeps up to `limit` batches under way; after one has failed none is sent any more. */
export function createBatchSender(
  sink: ImportSink,
  limit: number,
  onAnswer: (batch: Batch, answer: SinkAnswer) => void,
): BatchSender {
  const underWay = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const start = async (batch: Batch) => {
    try {
      onAnswer(batch, await sink.send(batch.events));
    } catch (error) {
      failures.push(error);
    }
  };
  const throwFailure = () => {
    if (failures.length > 0) throw failures[0];
  };
  return {
    async send(batch) {
      while (underWay.size >= limit) await Promise.race(underWay);
      throwFailure();
      const sending: Promise<void> = start(batch).finally(() => underWay.delete(sending));
      underWay.add(sending);
    },
    async drain() {
      while (underWay.size > 0) await Promise.all(underWay);
      throwFailure();
    },
  };
}
