import type { BodyWindow } from "./body-window.ts";
import { isErrorBody } from "./error-body.ts";
import { type BodyFacts, parse } from "./sse.ts";
import { mergeFacts, readAnswer, scanAnswer } from "./usage.ts";

/** What parsed JSON says. */
export function readJson(body: unknown): BodyFacts {
  const facts = readAnswer(body);
  return isErrorBody(body) ? { ...facts, error: body } : facts;
}

/** The same of the text of a JSON body; a long one is not parsed a second time, but looked at near its usage. */
export function readJsonText(text: string): BodyFacts {
  if (text.length <= 16_384 || /^\s*\{?.{0,64}"(?:error|base_resp)"\s*:\s*[{"]/s.test(text.slice(0, 256))) {
    return readJson(parse(text));
  }
  return scanEnds(text.slice(0, 4_096), text.slice(-16_384));
}

/** The same of what was kept of a body that was read piece by piece. */
export function readJsonWindow(window: BodyWindow): BodyFacts {
  const whole = window.whole();
  return whole === null ? scanEnds(window.head(), window.tail()) : readJson(parse(whole));
}

/** Counts and model stand near either end; a model near the beginning is surely the answer's own. */
function scanEnds(head: string, tail: string): BodyFacts {
  return mergeFacts(scanAnswer(tail), scanAnswer(head));
}
