import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import { toCleanJson } from "../cut.ts";
import type { Net, TryResult, Verdict } from "./kind.ts";

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body as JSON; `null`: it is none, or no object. */
  readonly json: Readonly<Record<string, unknown>> | null;
}

export interface Post {
  readonly url: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Posts JSON and has the answer judged. What happens on the way is judged here: it is the same everywhere. */
export async function post(
  net: Net,
  { url, body, headers = {} }: Post,
  judge: (answer: Answer) => Verdict,
): Promise<TryResult> {
  const text = typeof body === "string" ? body : toCleanJson(body);
  const requestBytes = Buffer.byteLength(text);
  try {
    const response = await net.fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json; charset=utf-8", ...headers },
      body: text,
    });
    const answer = { status: response.status, headers: response.headers, text: await response.text() };
    const verdict = judge({ ...answer, json: readJson(answer.text) });
    return { verdict, status: answer.status, answer: answer.text, requestBytes };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return { verdict: judgeFailure(error), status: null, answer: error.message, requestBytes };
  }
}

function readJson(text: string): Answer["json"] {
  try {
    const json: unknown = JSON.parse(text);
    return json !== null && typeof json === "object" && !Array.isArray(json) ? { ...json } : null;
  } catch {
    return null;
  }
}

const TLS_CODE = /CERT|TLS|SSL|UNABLE_TO_|SELF_SIGNED|HOSTNAME|^EPROTO$/;
/** The connection stood, and so the request may have arrived. */
const BROKEN_OFF: ReadonlySet<string> = new Set(["ECONNRESET", "EPIPE", "HPE_INVALID_CONSTANT"]);

/** What it means that there was no answer. */
export function judgeFailure(error: OutgoingError): Verdict {
  const retry = (
    why: "host_not_found" | "timeout" | "tls" | "unreachable" | "not_understood",
    isUncertain = false,
  ) => ({ is: "retry", why, afterMs: null, isUncertain }) as const;
  switch (error.code) {
    case "outgoing_bad_url":
    case "outgoing_refused":
      return { is: "failed", why: "address_refused" };
    case "outgoing_not_found":
      return retry("host_not_found");
    case "outgoing_timeout":
      return retry("timeout", true);
    case "outgoing_too_large":
      return retry("not_understood", true);
    case "outgoing_failed": {
      const code = (error.cause as NodeJS.ErrnoException | undefined)?.code ?? "";
      return TLS_CODE.test(code) ? retry("tls") : retry("unreachable", BROKEN_OFF.has(code));
    }
  }
}

/** What a status means where nothing else is known. 2xx is delivered. */
export function judgeStatus({ status, headers }: Answer, nowMs: number): Verdict {
  if (status >= 200 && status < 300) return { is: "delivered" };
  if (status >= 300 && status < 400) return { is: "failed", why: "redirected" };
  const afterMs = readRetryAfter(headers, nowMs);
  if (status === 429) return { is: "retry", why: "rate_limited", afterMs };
  if (status === 408 || status === 425 || status >= 500)
    return { is: "retry", why: "receiver_error", afterMs };
  if (status === 410) return { is: "failed", why: "gone" };
  if (status === 404) return { is: "failed", why: "address_unknown" };
  if (status === 401 || status === 403 || status === 407) return { is: "failed", why: "not_allowed" };
  return { is: "failed", why: "message_refused" };
}

/** RFC 9110, section 10.2.3: seconds, or a date. */
export function readRetryAfter(headers: Headers, nowMs: number): number | null {
  const text = headers.get("retry-after")?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const atMs = text === "" ? Number.NaN : Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

/** A number of a header; `null` where there is none. */
export function readNumber(headers: Headers, name: string): number | null {
  const text = headers.get(name)?.trim() ?? "";
  return /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : null;
}

/** Reads an address that must be a URL, when its kind has nothing to add. */
export function readUrl(text: string): { readonly address: string } | { readonly fault: string } {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
    ? { address: text }
    : { fault: "must be a URL that begins with https://" };
}

/** Host and the last characters of what follows; nothing of a short one. */
export function maskUrl(address: string): string {
  if (!URL.canParse(address)) return "…";
  const url = new URL(address);
  const rest = `${url.pathname}${url.search}`.replace(/\/$/, "");
  return rest.length < 16 ? `${url.host}/…` : `${url.host}/…${rest.slice(-4)}`;
}
