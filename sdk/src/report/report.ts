import type { AttemptEvent } from "../attempt-event.ts";

/** Takes an event; never throws and never blocks, which a reporter's `report` promises. */
export interface Report {
  (event: AttemptEvent): void;
  /**
   * Has the hook called before what waits is sent for the last time, so that whoever holds events back can hand them
   * over. The hook must not throw.
   */
  onFlush?: (hook: () => void) => void;
}
