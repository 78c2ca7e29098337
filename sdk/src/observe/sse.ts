import type { BodyWindow } from "./body-window.ts";
import { isErrorBody } from "./error-body.ts";
import { type AnswerFacts, mergeFacts, readAnswer, scanAnswer } from "./usage.ts";

/** What a finished body says of its attempt. */
export interface BodyFacts extends AnswerFacts {
  /** When the first token came, on the clock of the chunks. */
  readonly firstTokenAt?: number;
  /** The error that came inside a good answer: parsed JSON. */
  readonly error?: unknown;
  /** Whether the answer came to its own end; `null` where its manner of speaking has no such mark that we know. */
  readonly isComplete?: boolean | null;
}

/** Marks by which an answer says that it is over, as events, markers and reasons. */
const END_MARKS =
  /data:\s*\[DONE\]|"type"\s*:\s*"(?:message_stop|message-end|response\.(?:completed|incomplete|failed|cancelled|done))"|"(?:finish_reason|finishReason|stop_reason|stopReason)"\s*:\s*"[^"]|"done"\s*:\s*true/;
/** Within so many characters of the end they stand. */
const END_LENGTH = 8_192;
/** Manners of speaking that always say so. */
const HAS_END_MARK =
  /"object"\s*:\s*"chat\.completion\.chunk"|"type"\s*:\s*"(?:message_start|response\.created)"/;

/** Chat chunks begin with a role and an empty text. */
const CHAT_TOKEN =
  /"(?:content|text|reasoning|reasoning_content|reasoning_details|refusal|thinking|transcript|arguments)"\s*:\s*(?:"[^"]|\[\s*\{)|"(?:tool_calls|function_call|audio|functionCall|inlineData|executableCode)"\s*:\s*[[{]/;

/** Reads what was kept of a stream of lines: server-sent events, or JSON lines. */
export function readLines(window: BodyWindow): BodyFacts {
  const head = window.head();
  const whole = window.whole();
  const tail = whole === null ? window.tail() : "";
  const end = (whole ?? tail).slice(-END_LENGTH);
  const first = findFirstToken(head);
  const error = findError(whole ?? tail) ?? findError(window.lastLine());
  const isComplete =
    END_MARKS.test(end) || END_MARKS.test(window.lastLine()) || (HAS_END_MARK.test(head) ? false : null);
  const facts =
    whole === null ? mergeFacts(scanAnswer(head), withoutModel(scanAnswer(tail))) : readEvents(whole);
  const firstTokenAt = first === null ? undefined : window.timeOf(first);
  return {
    ...facts,
    isComplete,
    ...(error === undefined ? {} : { error }),
    ...(firstTokenAt === undefined ? {} : { firstTokenAt }),
  };
}

/** A piece that begins in the middle may show the model of something else. */
function withoutModel({ servedModel: _, ...facts }: AnswerFacts): AnswerFacts {
  return facts;
}

/** Only events with counts or a model in them are parsed: the others are text, and none of ours. */
function readEvents(text: string): AnswerFacts {
  let facts: AnswerFacts = {};
  let hasModel = false;
  for (const data of eachData(text)) {
    const hasCounts = /"(?:usage|usageMetadata|eval_count|billed_units)"\s*:\s*[{\d]/.test(data);
    if (!hasCounts && (hasModel || !/"model(?:Version)?"\s*:/.test(data))) continue;
    facts = mergeFacts(facts, readAnswer(parse(data)));
    hasModel ||= facts.servedModel !== undefined;
  }
  return facts;
}

/** @returns the place in the head at which the first event with a token in it is complete, in bytes; `null` for none */
function findFirstToken(head: string): number | null {
  for (const match of head.matchAll(/^(?:data:|\{).*$/gm)) {
    if (isToken(match[0])) return byteLength(head.slice(0, match.index + match[0].length)) - 1;
  }
  return null;
}

/** Whether an event brings something of the answer, and is no greeting. */
function isToken(line: string): boolean {
  if (/^data:\s*(\[DONE\])?\s*$/.test(line)) return false;
  const type = /"type"\s*:\s*"([\w.-]+)"/.exec(line)?.[1] ?? "";
  if (/^(response\.|message|content|ping)/.test(type))
    return /delta$/.test(type) && !/^message_delta/.test(type);
  if (/"(choices|candidates)"\s*:/.test(line) || /"done"\s*:\s*false/.test(line))
    return CHAT_TOKEN.test(line);
  return !/"error"\s*:\s*[{"]/.test(line);
}

function findError(text: string): unknown {
  if (!/"error"|base_resp|response\.failed|"code"/.test(text)) return undefined;
  for (const data of eachData(text)) {
    if (
      !/"error"\s*:\s*[{"]|"type"\s*:\s*"(?:error|response\.failed)"|"base_resp"|^\s*\{\s*"(?:code|message)"/.test(
        data,
      )
    )
      continue;
    const body = parse(data) ?? mendFailed(data);
    if (isErrorBody(body)) return body;
  }
  // A body of one error over several lines, sent as if it were a stream.
  const body = /^\s*[{[]/.test(text) ? parse(text) : undefined;
  return isErrorBody(body) ? body : undefined;
}

/** `response.failed` carries all of the answer behind its error, so its line may be cut. */
function mendFailed(data: string): unknown {
  const failed = /"type"\s*:\s*"response\.failed".*?"error"\s*:\s*(\{[^{}]*\})/.exec(data)?.[1];
  return failed === undefined ? undefined : { error: parse(failed) };
}

function* eachData(text: string): Generator<string> {
  for (const match of text.matchAll(/^(?:data:\s?(.*)|(\{.*))$/gm)) yield match[1] ?? match[2] ?? "";
}

export function parse(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

const encoder = new TextEncoder();
const byteLength = (text: string) => encoder.encode(text).length;
