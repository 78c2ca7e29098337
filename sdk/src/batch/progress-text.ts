import type { Outcome } from "../outcome.ts";
import type { BatchProgress, BatchWaiting } from "./types.ts";

interface Words {
  readonly failed: (count: string) => string;
  readonly perMinute: (count: string) => string;
  readonly atOnce: (inFlight: number, most: number) => string;
  readonly left: (time: string) => string;
  readonly waiting: (why: string, time: string) => string;
  readonly ending: (inFlight: number) => string;
  readonly why: Readonly<Partial<Record<Outcome, string>>>;
  readonly trouble: string;
}

const EN: Words = {
  failed: (count) => `${count} failed`,
  perMinute: (count) => `${count}/min`,
  atOnce: (inFlight, most) => `${inFlight} of ${most} at once`,
  left: (time) => `${time} left`,
  waiting: (why, time) => `waiting ${time}: ${why}`,
  ending: (inFlight) => `ending: ${inFlight} under way`,
  why: {
    capacity: "the model has no room",
    rate_limit: "too many requests of ours",
    quota: "the quota is used up",
    timeout: "no answers in time",
    network: "the network is away",
    server_error: "the provider has faults",
  },
  trouble: "the provider has trouble",
};

const ZH: Words = {
  failed: (count) => `失败 ${count}`,
  perMinute: (count) => `每分钟 ${count}`,
  atOnce: (inFlight, most) => `并发 ${inFlight}/${most}`,
  left: (time) => `剩余 ${time}`,
  waiting: (why, time) => `等待 ${time}：${why}`,
  ending: (inFlight) => `正在结束：还有 ${inFlight} 个进行中`,
  why: {
    capacity: "模型没有空位",
    rate_limit: "我们发得太快",
    quota: "额度已用完",
    timeout: "迟迟没有回答",
    network: "网络不通",
    server_error: "服务方出错",
  },
  trouble: "服务方有故障",
};

const wordsOf = (locale: string) => (/^zh\b/i.test(locale) ? ZH : EN);

/**
 * `412/40,000  1 %  3 failed  38/min  5 of 9 at once  17:22:05 left`; what nobody knows is left out.
 *
 * @param nowMs epoch milliseconds, for how long it still waits
 */
export function formatBatchProgress(progress: BatchProgress, nowMs: number, locale = "en"): string {
  const words = wordsOf(locale);
  const { done, failed, total, perMinute, concurrency, inFlight, waiting, leftMs } = progress;
  const parts = [total === null ? formatCount(done) : `${formatCount(done)}/${formatCount(total)}`];
  if (total !== null && total > 0) parts.push(`${Math.floor((done / total) * 100)} %`);
  if (failed > 0) parts.push(words.failed(formatCount(failed)));
  if (waiting !== null) return [...parts, describeWaiting(waiting, inFlight, nowMs, words)].join("  ");
  parts.push(words.perMinute(formatRate(perMinute)), words.atOnce(inFlight, concurrency));
  if (leftMs !== null && done !== total) parts.push(words.left(formatTime(leftMs)));
  return parts.join("  ");
}

function describeWaiting(
  { why, until }: BatchWaiting,
  inFlight: number,
  nowMs: number,
  words: Words,
): string {
  if (why === "ending") return words.ending(inFlight);
  return words.waiting(words.why[why] ?? words.trouble, formatTime(Math.max(0, until - nowMs)));
}

const formatCount = (count: number) => count.toLocaleString("en");
const formatRate = (rate: number) =>
  rate < 10 ? String(Math.round(rate * 10) / 10) : formatCount(Math.round(rate));

/** `0:12`, `1:01:00`: rounded up to seconds. */
function formatTime(ms: number): string {
  const seconds = Math.ceil(ms / 1_000);
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60];
  const two = (value: number) => String(value).padStart(2, "0");
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}

/** Where a bar is drawn: `process.stderr`, or a test's list. */
export interface BarOutput {
  write(text: string): unknown;
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
}

export interface BatchBar {
  /** To be given to `runBatch` as `onProgress`. */
  update(progress: BatchProgress): void;
  /** A line of its own, above the bar. */
  say(line: string): void;
  /** Leaves the last state standing. */
  end(): void;
}

const REDRAW_MS = 100;
const LINE_MS = 10_000;
const CLEAR_LINE = "\r\u001b[K";
const BAR_CELLS = 20;

/** A bar that is redrawn in place on a terminal; elsewhere a plain line every ten seconds, and when a wait begins. */
export function createBatchBar(
  out: BarOutput,
  { locale = "en", now = Date.now }: { readonly locale?: string; readonly now?: () => number } = {},
): BatchBar {
  let last: BatchProgress | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  let shown = "";
  let wasWaiting = false;
  const lineOf = (progress: BatchProgress) => {
    const text = formatBatchProgress(progress, now(), locale);
    return out.isTTY ? fit(`  ${drawBar(progress)}${text}`, out.columns ?? 80) : `  ${text}`;
  };
  const show = (progress: BatchProgress) => {
    shownAt = now();
    const line = lineOf(progress);
    if (out.isTTY) out.write(`${CLEAR_LINE}${line}`);
    else if (line !== shown) out.write(`${line}\n`);
    shown = line;
  };
  return {
    update(progress) {
      last = progress;
      const isWaiting = progress.waiting !== null;
      const isNews = isWaiting !== wasWaiting;
      wasWaiting = isWaiting;
      if (now() - shownAt >= (out.isTTY ? REDRAW_MS : LINE_MS) || (isNews && (isWaiting || out.isTTY)))
        show(progress);
    },
    say(line) {
      out.write(out.isTTY ? `${CLEAR_LINE}${line}\n${shown}` : `${line}\n`);
    },
    end() {
      if (last !== null) show(last);
      if (out.isTTY && shown !== "") out.write("\n");
      last = null;
    },
  };
}

function drawBar({ done, total }: BatchProgress): string {
  if (total === null || total === 0) return "";
  const full = Math.min(BAR_CELLS, Math.floor((done / total) * BAR_CELLS));
  return `${"█".repeat(full)}${"░".repeat(BAR_CELLS - full)}  `;
}

/** One line of a terminal: what goes on in the next cannot be taken back. */
function fit(line: string, columns: number): string {
  let width = 0;
  for (const [at, letter] of [...line].entries()) {
    width += letter > "\u2e80" ? 2 : 1;
    if (width >= columns) return [...line].slice(0, at).join("");
  }
  return line;
}
