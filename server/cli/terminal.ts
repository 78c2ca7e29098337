import type { Readable } from "node:stream";

/** What a command has of the world; tests give it another one. */
export interface Terminal {
  readonly version: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: { write(text: string): unknown; readonly isTTY?: boolean };
  readonly stderr: { write(text: string): unknown; readonly isTTY?: boolean };
  /** A line for the person, on stderr: stdout is for results. */
  readonly say: (line: string) => void;
  /**
   * Calls back on Ctrl-C, a request to end, or the end of the npm that runs us; returns what ends the listening.
   * A second Ctrl-C ends at once.
   */
  onInterrupt(callback: () => void): () => void;
  setExitCode(code: number): void;
}

/** The terminal and npm both pass on one Ctrl-C; what comes this soon after the first is the same one. */
const SAME_SIGNAL_MS = 1_000;

/**
 * When npm is ended by a signal it takes its shell along but not us: the shell does not pass signals on. Our
 * parent's number then changes.
 */
function watchNpm(onGone: () => void): NodeJS.Timeout | undefined {
  if (process.env["npm_lifecycle_event"] === undefined) return undefined;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    onGone();
  }, 500);
  timer.unref();
  return timer;
}

export function createTerminal(version: string): Terminal {
  return {
    version,
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    say: (line) => process.stderr.write(`${line}\n`),
    onInterrupt(callback) {
      const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
      let askedAtMs: number | null = null;
      const onSignal = () => {
        if (askedAtMs === null) {
          askedAtMs = performance.now();
          callback();
        } else if (performance.now() - askedAtMs > SAME_SIGNAL_MS) process.exit(130);
      };
      for (const signal of signals) process.on(signal, onSignal);
      const watching = watchNpm(onSignal);
      return () => {
        clearInterval(watching);
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
    setExitCode(code) {
      process.exitCode = code;
    },
  };
}
