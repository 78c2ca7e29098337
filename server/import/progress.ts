/** Where text for people goes: a terminal, a pipe, or a test's list. */
export interface TextOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
}

export interface ProgressState {
  readonly rows: number;
  /** What the rows are called. */
  readonly what: string;
  readonly elapsedMs: number;
  /** How much of `total`, in whatever unit: bytes of a file. */
  readonly done: number;
  /** `null` when the end is unknown: a pipe. */
  readonly total: number | null;
}

export interface Progress {
  update(rows: number, done: number, total: number | null): void;
  /** A line of its own, above the bar. */
  say(line: string): void;
  /** Takes the bar away. */
  stop(): void;
}

const REDRAW_MS = 100;
const LINE_MS = 5_000;
const CLEAR_LINE = "\r\u001b[K";

/** A bar that is redrawn in place on a terminal; elsewhere a plain line every five seconds. */
export function createProgress(out: TextOutput, now: () => number, what = "rows"): Progress {
  const startedAt = now();
  const pauseMs = out.isTTY ? REDRAW_MS : LINE_MS;
  let shownAt = startedAt;
  let shown = "";
  const clear = () => {
    if (shown !== "") out.write(CLEAR_LINE);
  };
  return {
    update(rows, done, total) {
      const at = now();
      if (at - shownAt < pauseMs) return;
      shownAt = at;
      const line = formatProgress({ rows, what, elapsedMs: at - startedAt, done, total });
      if (!out.isTTY) return void out.write(`${line}\n`);
      out.write(`${CLEAR_LINE}${line}`);
      shown = line;
    },
    say(line) {
      clear();
      out.write(`${line}\n`);
      out.write(shown);
    },
    stop() {
      clear();
      shown = "";
    },
  };
}

/** `  1,234,000 rows  98,000/s  42 %  0:12 left`; what cannot be known is left out. */
export function formatProgress({ rows, what, elapsedMs, done, total }: ProgressState): string {
  const parts = [`  ${formatCount(rows)} ${what}`];
  if (elapsedMs > 0) parts.push(`${formatCount(Math.round((rows * 1000) / elapsedMs))}/s`);
  if (total !== null && total > 0) {
    const share = Math.min(1, done / total);
    parts.push(`${Math.floor(share * 100)} %`);
    if (share > 0) parts.push(`${formatDuration((elapsedMs * (1 - share)) / share)} left`);
  }
  return parts.join("  ");
}

export function formatCount(count: number): string {
  return count.toLocaleString("en");
}

/** `0:12`, `61:00`: minutes and seconds, rounded up. */
export function formatDuration(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}
