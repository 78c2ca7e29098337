import fs from "node:fs";
import path from "node:path";
import { root } from "../../../bench/support/product.ts";
import { MARKS, type Side } from "./planted.ts";
import type { FuzzedRequest } from "./request.ts";
import type { FuzzedAnswer, NoAnswer } from "./send.ts";

/** Codes of errors.md with their status: only a documented 503 may be answered, and no other failure of ours. */
const DOCUMENTED_503: ReadonlySet<string> = new Set(
  [
    ...fs.readFileSync(path.join(root, "docs", "errors.md"), "utf8").matchAll(/^\| `([a-z_]+)` *\| 503 /gm),
  ].map((match) => match[1] ?? ""),
);

/** As lines, or as a string of JSON; and paths of our own files. */
const STACK = /(?:\n|\\n)\s+at \S|node_modules|\/(?:server|dist|db)\/[\w./-]+\.[jt]s\b/;

/** What is wrong with an answer, in a few words; `null` when nothing is. */
export function judge(request: FuzzedRequest, answer: FuzzedAnswer | NoAnswer): string | null {
  if (answer.status === 0) return judgeSilence(request, answer as NoAnswer);
  const { status, headers, text } = answer as FuzzedAnswer;
  const leaked = findLeak(request.caller.sees, text + JSON.stringify(headers));
  if (leaked !== null) return `leak of ${leaked}`;
  if (STACK.test(text)) return "a stack trace";
  if (status >= 500 && !isPlanned503(answer as FuzzedAnswer)) return `status ${status}`;
  return null;
}

/** A connection may be closed on a request that HTTP does not know; else there is an answer. */
function judgeSilence({ headers }: FuzzedRequest, { reason }: NoAnswer): string | null {
  // Whoever answers before it has read all of a body closes the connection, and the sender may see that first.
  const isRefusedBody = ["ECONNRESET", "EPIPE"].includes(reason);
  if (isRefusedBody && (headers["content-type"] !== undefined || headers["content-encoding"] !== undefined))
    return null;
  return `no answer: ${reason}`;
}

export function isPlanned503({ status, headers, text }: FuzzedAnswer): boolean {
  if (status !== 503 || headers["retry-after"] === undefined) return false;
  const code = /"code":"([a-z_]+)"/.exec(text)?.[1];
  // /v1/traces answers a google.rpc.Status, whose code is a number.
  return code === undefined ? /"code":14\b/.test(text) || !text.includes("{") : DOCUMENTED_503.has(code);
}

/** Whose words stand in an answer that has no business with them. */
export function findLeak(sees: Side | "both" | null, text: string): Side | null {
  if (sees === "both") return null;
  const all = text.toLowerCase();
  return (Object.keys(MARKS) as Side[]).find((side) => side !== sees && all.includes(MARKS[side])) ?? null;
}
