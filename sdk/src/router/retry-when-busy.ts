import { classify } from "../classify/classify.ts";
import { readClientError } from "../observe/client-error.ts";
import { describe } from "./judge.ts";
import { RouterError, type RouterErrorKind } from "./router-error.ts";
import { type RouterSystem, realRouterSystem } from "./system.ts";
import type { AttemptReport } from "./types.ts";

export interface RetryWhenBusyOptions {
  /** Default: 3. */
  readonly tries?: number;
  /** Between tries, in milliseconds. Default: 2,000. An advised wait of up to 30 s is kept instead where it is longer. */
  readonly delayMs?: number;
  readonly signal?: AbortSignal;
  /** For tests. */
  readonly system?: RouterSystem;
}

const LONGEST_WAIT_MS = 30_000;

/**
 * The simple way, for a side project: calls `fn` up to three times, two seconds apart, as long as what goes wrong may pass.
 *
 * @throws {RouterError} with a clear message and every attempt; a hard failure ends it at once
 */
export async function retryWhenBusy<T>(
  fn: () => Promise<T> | T,
  options: RetryWhenBusyOptions = {},
): Promise<T> {
  const { tries = 3, delayMs = 2_000, signal, system = realRouterSystem } = options;
  const attempts: AttemptReport[] = [];
  let waitedMs = 0;
  for (;;) {
    if (signal?.aborted) throw end("cancelled", attempts, null, signal.reason);
    const [startedAt, startedMs] = [system.now(), system.elapsed()];
    try {
      return await fn();
    } catch (error) {
      const named = classify({
        ...readClientError(error),
        nowMs: system.now(),
        ...(signal === undefined ? {} : { isAborted: signal.aborted }),
      });
      attempts.push({
        attempt: attempts.length + 1,
        target: "call",
        provider: "unknown",
        model: "unknown",
        position: 0,
        outcome: named.outcome === "ok" ? "unknown" : named.outcome,
        rule: named.rule,
        startedAt,
        waitedMs,
        latencyMs: system.elapsed() - startedMs,
        retryAfterMs: named.retryAfterMs,
        status: named.status,
        isProbe: false,
        message: describe(error),
      });
      if (named.outcome === "cancelled") throw end("cancelled", attempts, null, error);
      // A failure that nobody can name may pass as well as one that is known to.
      if (!named.retryable && named.severity === "hard") throw end("refused", attempts, null, error);
      const advisedMs = named.retryAfterMs ?? 0;
      if (attempts.length >= tries || advisedMs > LONGEST_WAIT_MS)
        throw end("busy", attempts, named.retryAfterMs, error);
      waitedMs = Math.max(delayMs, advisedMs);
      await wait(waitedMs, signal, system);
    }
  }
}

function end(
  kind: RouterErrorKind,
  attempts: readonly AttemptReport[],
  retryAfterMs: number | null,
  cause: unknown,
): RouterError {
  const last = attempts.at(-1);
  const messages: Partial<Record<RouterErrorKind, string>> = {
    busy: `The model is busy: ${attempts.length} tries, the last one ended with ${last?.outcome}. Try again in a few minutes.`,
    refused: `The call was refused (${last?.outcome}), and trying again will not mend it: ${last?.message}`,
    cancelled: "The caller cancelled the request.",
  };
  return new RouterError(kind, messages[kind] ?? kind, { attempts, retryAfterMs, cause });
}

/** Resolves when the time is over or the signal fires. */
function wait(ms: number, signal: AbortSignal | undefined, system: RouterSystem): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal?.removeEventListener("abort", done);
      resolve();
    };
    const cancel = system.setTimer(done, ms);
    signal?.addEventListener("abort", done, { once: true });
  });
}
