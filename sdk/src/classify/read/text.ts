import type { FactCollector } from "../facts.ts";
import { readEmbedded } from "./embedded.ts";
import { readHtml } from "./html.ts";
import { withoutQuotations } from "./quoted.ts";
import { findStatedWait } from "./wait.ts";

const MAX_READ = 8_000;

/**
 * Notes what a text says: errors quoted in it as JSON (or as Python or JavaScript print objects), the page behind
 * HTML, statuses that it names as such, and its own words without what they merely quote.
 */
export function readText(text: string, level: number, collector: FactCollector): void {
  if (level > 12) return;
  const bounded = text.length > MAX_READ ? `${text.slice(0, 6_000)}\n${text.slice(-2_000)}` : text;
  if (bounded.includes("<") && /<(?:!doctype|html|head|title|body)\b/i.test(bounded)) {
    readHtml(bounded, level, collector);
    return;
  }
  const hasObject = bounded.includes("{") || bounded.includes("[");
  const own = hasObject ? readEmbedded(bounded, level, collector) : bounded;
  const plain = own.includes("\n") ? withoutStack(own) : own;
  if (/\d/.test(plain)) readNumbers(plain, level, collector);
  collector.addText(withoutQuotations(plain), level);
}

const withoutStack = (text: string) =>
  text
    .split("\n")
    .filter((line) => !/^\s*(?:at \S|File ")/.test(line))
    .join("\n");

/** Statuses, waits and limits: without a digit there are none. */
function readNumbers(text: string, level: number, collector: FactCollector): void {
  if (/[45]\d\d/.test(text)) for (const status of findStatuses(text)) collector.addStatus(status, level);
  const code = /^[["'\s]*\[(\d{4,6})\]/.exec(text)?.[1];
  if (code !== undefined) collector.addCode("code", code, level);
  const wait = findStatedWait(text);
  if (wait !== null) collector.addWait(wait, level);
  if (/limit/i.test(text)) readLimits(text, level, collector);
}

/** Numbers that are named as a status, or stand where clients print one; no other number of a text is one. */
const STATUS_PATTERNS = [
  /\b(?:status(?:[ _-]?codes?)?|http(?:[ _-]?(?:status|error|code))?(?:\/\d(?:\.\d)?)?|error[ _-]?code|codes?|api error|client error|server error|returned|responded with|failed with|unexpected status)\s?[:=]?\s?["'([]?(?:code |status |http )?([45]\d\d)(?![\d.]*[\w-])/gi,
  /^[\s["'(]*([45]\d\d)(?=$|[\s:\])"',-])(?! (?:tokens|characters|words|messages|images|ms|seconds))/gm,
  /(?:Error|Exception|NotFound|InvalidArgument|Denied|Exceeded|Exhausted|Unavailable|Unauthenticated|Unknown):? ([45]\d\d)(?=$|[\s:.,)])/g,
  /[[(|]\s?([45]\d\d)(?=[\])]|: | [A-Z])/g,
  /\b([45]\d\d) (?:Bad|Un[ap]|Pay|Forb|Not F|Request T|Conf|Gone|Too Many|Int|Serv|Gat|Client E)[a-z]/gi,
];

function findStatuses(text: string): number[] {
  const found: number[] = [];
  for (const pattern of STATUS_PATTERNS) {
    for (const match of text.matchAll(pattern)) found.push(Number(match[1]));
  }
  return found;
}

/** A limit of nothing never frees, and one request above a whole limit never fits: no wait helps either. */
function readLimits(text: string, level: number, collector: FactCollector): void {
  if (/\blimit(?: is| set to|:|=)? ?0(?![\d.,]*\d)(?!\.\d)/i.test(text)) collector.addCode("limit", 0, level);
  const asked =
    /\blimit:? ?([\d,]{1,15})(?:[^\n]{0,80}?)\brequested:? ?~?([\d,]{1,15})/i.exec(text) ??
    swapped(/tokens per [a-z]+ ?\(actual\/limit\)[: ]{0,3}([\d,]{1,15})\/([\d,]{1,15})/i.exec(text));
  if (asked && toNumber(asked[2]) > toNumber(asked[1])) collector.addCode("request", "above-limit", level);
}

const toNumber = (digits: string | undefined) => Number((digits ?? "").replaceAll(",", ""));
const swapped = (match: RegExpExecArray | null) => match && [match[0], match[2], match[1]];
