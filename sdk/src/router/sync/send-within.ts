import type { RouterSystem } from "../system.ts";
import type { SyncAnswer, SyncRequest, Transport } from "./transport.ts";

/**
 * Sends a request that is given up after its time, or when the signal fires.
 *
 * @param isBackground whether it keeps no process alive
 * @throws whatever kept an answer from coming
 */
export async function sendWithin(
  transport: Transport,
  system: Pick<RouterSystem, "setTimer">,
  request: Omit<SyncRequest, "signal">,
  timeoutMs: number,
  signal?: AbortSignal,
  isBackground = false,
): Promise<SyncAnswer> {
  const limit = new AbortController();
  const abort = () => limit.abort();
  const stopTimer = system.setTimer(abort, timeoutMs, isBackground);
  signal?.addEventListener("abort", abort);
  if (signal?.aborted) abort();
  try {
    return await transport.send({ ...request, signal: limit.signal });
  } finally {
    stopTimer();
    signal?.removeEventListener("abort", abort);
  }
}

/** Code and words of an error; `fetch failed` alone says nothing, its cause does. */
export function describeFault(error: unknown): string {
  const { code, cause, message } = (error ?? {}) as {
    code?: unknown;
    cause?: { code?: unknown; message?: unknown };
    message?: unknown;
  };
  const words = cause?.code ?? cause?.message ?? (typeof code === "string" ? code : message);
  return String(words ?? error).slice(0, 200);
}
