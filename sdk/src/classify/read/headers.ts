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

/** A reader for `Headers`, plain objects in any case, and pairs; it never throws. */
export function createHeaderReader(headers: HeadersLike | null | undefined): HeaderReader {
  const known = new Map<string, string>();
  try {
    if (headers && typeof (headers as { get?: unknown }).get === "function") {
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
  for (const name of TELLING) {
    const value = read(name);
    if (value !== null)
      collector.addCode(name, name === "x-amzn-errortype" ? (value.split(":")[0] ?? value) : value, 0);
  }
  for (const kind of LIMITS) {
    if (isExhausted(read, kind)) collector.addCode("exhausted", kind, 0);
  }
}

const LIMITS = ["requests", "tokens", "input-tokens", "output-tokens"] as const;
type Limit = (typeof LIMITS)[number];
const FAMILIES = ["x-ratelimit", "anthropic-ratelimit"] as const;

function remaining(read: HeaderReader, kind: Limit): string | null {
  return read(`x-ratelimit-remaining-${kind}`) ?? read(`anthropic-ratelimit-${kind}-remaining`);
}

const isExhausted = (read: HeaderReader, kind: Limit) => {
  const left = remaining(read, kind);
  return left !== null && Number(left) <= 0;
};

/**
 * The wait that headers state, in milliseconds, or `null`. A date needs a clock: the caller's, else the answer's
 * own `date`. A reset counts only when it belongs to the limit that is used up; absolute resets only with the
 * caller's clock, since one header cannot vouch for another server's.
 */
export function findHeaderWait(read: HeaderReader, nowMs: number | undefined): number | null {
  for (const name of ["retry-after-ms", "x-ms-retry-after-ms"]) {
    const value = Number(read(name) ?? Number.NaN);
    if (value > 0) return value;
  }
  const after = read("retry-after");
  if (after !== null) {
    const wait = parseSeconds(after) ?? untilDate(after, nowMs ?? Date.parse(read("date") ?? ""));
    if (wait !== null && wait > 0) return wait;
  }
  return findResetWait(read, nowMs);
}

function findResetWait(read: HeaderReader, nowMs: number | undefined): number | null {
  const waits: number[] = [];
  for (const kind of LIMITS) {
    if (remaining(read, kind) !== null && !isExhausted(read, kind)) continue;
    const bare = read(`x-rate-limit-reset-${kind}`);
    if (bare !== null) waits.push(parseSeconds(bare) ?? 0);
    if (!isExhausted(read, kind)) continue;
    for (const name of [`${FAMILIES[0]}-reset-${kind}`, `${FAMILIES[1]}-${kind}-reset`]) {
      const reset = read(name);
      if (reset !== null) waits.push(parseReset(reset, nowMs) ?? 0);
    }
  }
  if (nowMs !== undefined && Number(read("x-ratelimit-remaining") ?? 1) <= 0) {
    waits.push(parseReset(read("x-ratelimit-reset") ?? "", nowMs) ?? 0);
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
