import { type FactCollector, isErrorStatus } from "../facts.ts";
import { toWords } from "../words.ts";
import { readText } from "./text.ts";
import { parseSeconds } from "./wait.ts";

const MAX_FIELD_NAMES = 500;

/** Tells fields by a pattern; each is tried once, since the same few come with every error. */
function fields(pattern: RegExp): (field: string) => boolean {
  const known = new Map<string, boolean>();
  return (field) => {
    const told = known.get(field);
    if (told !== undefined) return told;
    if (known.size >= MAX_FIELD_NAMES) known.clear();
    known.set(field, pattern.test(field));
    return pattern.test(field);
  };
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(" "));

/** Fields whose value is an identifier: a code, type or reason. In lower case, without `_` and `-`. */
const isCode = fields(
  /^(?:(?:http|error|err|status)*(?:code|type|status|name|kind|category|tag)|(?:block|finish|stop)?reasons?|param|limitsource|quota(?:id|limit|metric)|slug|ret|stage)$/,
);
/** Fields whose value is a sentence of the provider's. */
const isText = fields(
  /^(?:(?:user|error|err|status|failure)?(?:message|msg|desc|description|text|reason)|messageen|messagezh|err|errors?|exception|fault|faultstring|details?|title|raw|(?:response)?body|info|cause|hint|data)$/,
);
const CODE_ALIASES = words("errcode internalcode bizcode errno");
const isStatus = fields(/^(?:http|error|status)*(?:status|code)$/);
/** What Codex' servers have sent as if it were the model's answer; no other answer is looked at. */
const OVERLOAD_NOTICE = toWords("Our servers are currently overloaded. Please try again later.");
/** How large a quota is: one of nothing never frees. */
const QUOTA_SIZES = words("quotavalue quotalimitvalue");
/** Waits: how many milliseconds one unit of the field is. */
const WAIT_FIELDS: Readonly<Record<string, number>> = {
  retryafterms: 1,
  retryafter: 1_000,
  retryafterseconds: 1_000,
  retryaftersecs: 1_000,
  retrydelay: 1_000,
  estimatedtime: 1_000,
  resetsinseconds: 1_000,
  resetinseconds: 1_000,
  seconds: 1_000,
};
/** What the caller sent, or the model answered: never looked into. */
const ECHO_FIELDS = words(
  "messages input inputs prompt prompts prompttokenids flaggedinput content contents request requestbody parameters tools " +
    "chathistory history toolcalls arguments usage logprobs embedding text stack stacktrace traceback availableproviders failedgeneration url link footer",
);
/** An object under one of these is what lay beneath: its words come before those around it. */
const INNER_FIELDS = words(
  "raw cause innererror inner upstream upstreamerror originalerror lasterror responsebody previouserrors",
);

const MAX_DEPTH = 8;
const MAX_FIELDS = 400;

/** Notes the codes, sentences, statuses and waits of a JSON value, and only from fields that carry such. */
export function readJson(value: unknown, level: number, collector: FactCollector): void {
  walk(value, "", level, 0, { collector, left: MAX_FIELDS });
}

interface Walk {
  readonly collector: FactCollector;
  left: number;
}

function walk(value: unknown, key: string, level: number, depth: number, state: Walk): void {
  if (value === null || value === undefined || depth > MAX_DEPTH || --state.left < 0) return;
  if (typeof value !== "object") {
    readField(key, value, level, state.collector);
    return;
  }
  const deeper = INNER_FIELDS.has(key) ? level + 1 : level;
  if (Array.isArray(value)) {
    for (const item of value.slice(0, 20)) walk(item, key, deeper, depth + 1, state);
    return;
  }
  for (const [name, item] of Object.entries(value)) {
    const field = fieldName(name);
    // Streams of AWS wrap what happened in a field that is called after it.
    if (typeof item === "object" && /^\w{3,}(?:Exception|Error)$/.test(name)) {
      state.collector.addCode("name", name, deeper);
    }
    if (isSign(field) && isSignOfError(field, item)) state.collector.hasError = true;
    if (!ECHO_FIELDS.has(field)) walk(item, field, deeper, depth + 1, state);
  }
}

/** Numbers but 0 and 2xx, and names in which a word of errors stands; program code is none. */
const ERROR_CODE =
  /^(?:-?(?!0$|2\d\d$)\d+|[\w.-]*(?:err|inval|denied|fail|exce|limit|miss|unavail)[\w.-]*)$/i;

/** Fields that may say so. */
const isSign = fields(/^(?:success|type|errors?|err(?:or)?(?:message|msg)|(?:error|status)?code)$/);

/** Whether a field says by being there that something failed, though it may not say what. */
function isSignOfError(field: string, value: unknown): boolean {
  if (field === "success") return value === false;
  if (field === "type") return /(?:exception|error)$/i.test(String(value));
  if (field.endsWith("code")) return ERROR_CODE.test(String(value));
  return typeof value === "object" ? Object.keys(value ?? {}).length > 0 : Boolean(value);
}

/** `error_code`, `errorCode` and `Error-Code` are one field; `errno` and the like are `code`. */
export function fieldName(name: string): string {
  const known = fieldNames.get(name);
  if (known !== undefined) return known;
  const bare = name.toLowerCase().replace(/[_-]/g, "");
  const field = CODE_ALIASES.has(bare) ? "code" : bare;
  if (fieldNames.size >= MAX_FIELD_NAMES) fieldNames.clear();
  fieldNames.set(name, field);
  return field;
}

/** The same few names come with every error. */
const fieldNames = new Map<string, string>();
/** Notes one field, as `readJson` does. */
export function readField(field: string, value: unknown, level: number, collector: FactCollector): void {
  if (typeof value === "number") {
    const unit = WAIT_FIELDS[field];
    // What a field counts is more exact than what the sentence beside it says.
    if (unit !== undefined) collector.addWait(value * unit, level + 0.5);
    if (isStatus(field)) collector.addStatus(value, level);
    if (isCode(field) && value !== 0) collector.addCode(field, value, level);
    else if (QUOTA_SIZES.has(field) && value === 0) collector.addCode("limit", 0, level);
    return;
  }
  if (typeof value !== "string") return;
  const unit = WAIT_FIELDS[field];
  if (unit !== undefined) collector.addWait(parseSeconds(value) ?? 0, level + 0.5);
  else if (QUOTA_SIZES.has(field) && value === "0") collector.addCode("limit", 0, level);
  else if (field === "delta" && toWords(value) === OVERLOAD_NOTICE)
    collector.addCode(field, "overload", level);
  if (isCode(field) || ((field === "error" || field === "title") && /^[\w.-]{1,60}$/.test(value))) {
    readCode(field, value, level, collector);
  }
  if (isText(field)) readText(value, level, collector);
}

function readCode(field: string, value: string, level: number, collector: FactCollector): void {
  const code = value.trim();
  if (code === "" || code === "0") return;
  collector.addCode(field, code, level);
  if (isStatus(field) && /^\d{3}$/.test(code) && isErrorStatus(Number(code))) {
    collector.addStatus(Number(code), level);
  }
  // Some write a sentence where others write a code.
  if (/\s\S+\s/.test(code) && !isText(field)) readText(code, level, collector);
}
