import type { AttemptEvent } from "@busyhour/sdk";

/** An event that the sink did not take. */
export interface SinkRejection {
  /** Place in what was sent, from 0. */
  readonly index: number;
  /** JSON Pointer into the event. */
  readonly pointer: string;
  readonly detail: string;
}

export interface SinkAnswer {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly SinkRejection[];
}

/** Where an import puts its events. */
export interface ImportSink {
  /** For the person at the terminal: `http://localhost:4100`, or a folder. */
  describe(): string;
  limits(): Promise<{ rawRetentionDays: number }>;
  /**
   * Returns when the events are stored for good. Several calls may be under way at once.
   *
   * @throws ImportError when they cannot be; some of them may be stored all the same
   */
  send(events: readonly AttemptEvent[]): Promise<SinkAnswer>;
  /** After the last `send`. */
  finish(): Promise<void>;
}
