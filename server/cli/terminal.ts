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
  /** Calls back on Ctrl-C or a request to end; returns what ends the listening. A second Ctrl-C ends at once. */
  onInterrupt(callback: () => void): () => void;
  setExitCode(code: number): void;
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
      let asked = false;
      const onSignal = () => {
        if (asked) process.exit(130);
        asked = true;
        callback();
      };
      for (const signal of signals) process.on(signal, onSignal);
      return () => {
        for (const signal of signals) process.off(signal, onSignal);
      };
    },
    setExitCode(code) {
      process.exitCode = code;
    },
  };
}
