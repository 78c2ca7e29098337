/** What ends a batch from the keyboard. */
export interface Interrupt {
  /** Fires at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly signal: AbortSignal;
  /** Listens no more. */
  dispose(): void;
}

/** The terminal and npm both pass on one Ctrl-C; what comes this soon after the first is the same one. */
const SAME_SIGNAL_MS = 500;

/**
 * The first Ctrl-C fires the signal, so that what is under way can finish; a second one ends the process at once, with
 * exit code 130. Results that were stored are whole either way.
 */
export function stopOnInterrupt(): Interrupt {
  const controller = new AbortController();
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  let askedAtMs: number | null = null;
  const onSignal = () => {
    if (askedAtMs === null) {
      askedAtMs = performance.now();
      controller.abort(new DOMException("Interrupted", "AbortError"));
    } else if (performance.now() - askedAtMs > SAME_SIGNAL_MS) process.exit(130);
  };
  for (const name of signals) process.on(name, onSignal);
  return {
    signal: controller.signal,
    dispose() {
      for (const name of signals) process.off(name, onSignal);
    },
  };
}
