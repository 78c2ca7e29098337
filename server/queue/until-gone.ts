import type { Response } from "express";

/** Fires when the other end goes away. */
export function untilGone(res: Response): AbortSignal {
  const gone = new AbortController();
  res.once("close", () => gone.abort());
  return gone.signal;
}
