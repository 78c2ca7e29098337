import type { HeadersLike } from "../classification.ts";
import type { FactCollector } from "../facts.ts";
import { parseSeconds } from "./wait.ts";

/** Headers whose value is a code of its own. */
const TELLING = [
  "x-amzn-errortype",
  "x-ms-error-code",
  "x-error-code",
  "policy-id",
  "cf-mitigated",
  "anthropic-ratelimit-unified-status",
  "anthropic-ratelimit-unified-representative-claim",
];

/** How a header is read, whatever holds it; an empty one counts as none. */
export type HeaderReader = (name: string) => string | null;

/** Reads from nothing. */
export const NO_HEADERS: HeaderReader = () => null;

/** A reader for `Headers`, plain objects in any case, and pairs; it never throws. */
export function createHeaderReader(headers: HeadersLike | null | undefined): HeaderReader {
  if (headers === null || headers === undefined) return NO_HEADERS;
  const known = new Map<string, string>();
  try {
    const hasGet = typeof (headers as { get?: unknown }).get === "function";
    if (hasGet && !(Symbol.iterator in headers)) {
      const source = headers as { get(name: string): unknown };
      return (name) => {
        try {
          return asText(source.get(name));
        } catch {
          return null;
        }
      };
    }
    if (headers && typeof headers === "object") {
      const pairs = Symbol.iterator in headers ? (headers as Iterable<unknown>) : Object.entries(headers);
      let count = 0;
      for (const pair of pairs) {
        if (++count > 200) break;
        if (!Array.isArray(pair)) continue;
        const value = asText(pair[1]);
        if (value !== null) known.set(String(pair[0]).toLowerCase(), value);
      }
    }
  } catch {
    // What cannot be read says nothing.
  }
  return (name) => known.get(name) ?? null;
}

function asText(value: unknown): string | null {
  const one = Array.isArray(value) ? value[0] : value;
  if (typeof one === "number") return String(one);
  return typeof one === "string" && one.trim() !== "" ? one.trim().slice(0, 300) : null;
}

/** Notes what headers say of the failure's kind: own error codes, and which limit has nothing left. */
export function readHeaders(read: HeaderReader, collector: FactCollector): void {
  if (read === NO_HEADERS) return;
  for (const name of TELLING) {
    const value = read(name);
    if (value !== null)
      collector.addCode(name, name === "x-amzn-errortype" ? (value.split(":")[0] ?? value) : value, 0);
  }
  for (const limit of LIMITS) {
    if ((findRemaining(read, limit) ?? 1) <= 0) collector.addCode("exhausted", limit.kind, 0);
  }
}

/** The limits that headers count, and the names under which they do. */
const LIMITS =
  "requests tokens input-tokens output-tokens requests-minute requests-day tokens-minute tokens-day"
    .split(" ")
    .map((kind) => ({
      kind,
      remaining: [`x-ratelimit-remaining-${kind}`, `anthropic-ratelimit-${kind}-remaining`],
      reset: [`x-ratelimit-reset-${kind}`, `anthropic-ratelimit-${kind}-reset`],
      bareReset: `x-rate-limit-reset-${kind}`,
    }));
type Limit = (typeof LIMITS)[number];

/** How much of a limit is left; `null` when no header says. */
function findRemaining(read: HeaderReader, limit: Limit): number | null {
  const left = limit.remaining.map(read).find((value) => value !== null);
  return left === undefined || left === null ? null : Number(left);
}

/**
 * The wait that headers state, in milliseconds, or `null`. A date needs a clock: the caller's, else the answer's
 * own `date`. A reset counts only when it belongs to the limit that is used up; absolute resets only with the
 * caller's clock, since one header cannot vouch for another server's.
 */
export function findHeaderWait(read: HeaderReader, nowMs: number | undefined): number | null {
  if (read === NO_HEADERS) return null;
  for (const name of ["retry-after-ms", "x-ms-retry-after-ms"]) {
    const value = Number(read(name) ?? Number.NaN);
    if (value > 0) return value;
  }
  const after = read("retry-after");
  if (after !== null) {
    const wait = parseSeconds(after) ?? untilDate(after, nowMs ?? Date.parse(read("date") ?? ""));
    if (wait !== null && wait > 0) return wait;
  }
  for (const plan of ["primary", "secondary"]) {
    const wait = parseSeconds(read(`x-codex-${plan}-reset-after-seconds`) ?? "");
    if (Number(read(`x-codex-${plan}-used-percent`)) >= 100 && wait !== null) return wait;
  }
  return findResetWait(read, nowMs);
}

function findResetWait(read: HeaderReader, nowMs: number | undefined): number | null {
  const waits: number[] = [];
  for (const limit of LIMITS) {
    const left = findRemaining(read, limit);
    if (left !== null && left > 0) continue;
    const bare = read(limit.bareReset);
    if (bare !== null) waits.push(parseSeconds(bare) ?? 0);
    if (left === null) continue;
    for (const reset of limit.reset.map(read)) {
      if (reset !== null) waits.push(parseReset(reset, nowMs) ?? 0);
    }
  }
  for (const bare of ["x-ratelimit", "ratelimit"]) {
    if (Number(read(`${bare}-remaining`) ?? 1) <= 0)
      waits.push(parseReset(read(`${bare}-reset`) ?? "", nowMs) ?? 0);
  }
  const longest = Math.max(0, ...waits);
  return longest > 0 ? longest : null;
}

/** A duration, an instant, or an epoch in seconds or milliseconds. */
function parseReset(value: string, nowMs: number | undefined): number | null {
  if (/^\d{10}(?:\.\d+)?$/.test(value)) return nowMs === undefined ? null : Number(value) * 1_000 - nowMs;
  if (/^\d{13}$/.test(value)) return nowMs === undefined ? null : Number(value) - nowMs;
  return parseSeconds(value) ?? (nowMs === undefined ? null : untilDate(value, nowMs));
}

function untilDate(value: string, nowMs: number): number | null {
  const at = Date.parse(value);
  return Number.isNaN(at) || Number.isNaN(nowMs) ? null : at - nowMs;
}
