import type { Classification, Failure } from "../classify/classification.ts";
import { classifyFacts, createFactsClassifier, readFacts } from "../classify/classify.ts";
import { type Facts, isErrorStatus } from "../classify/facts.ts";
import type { Rule } from "../classify/rule.ts";
import { MAX_TEXT_LENGTH, scrubText } from "./scrub.ts";

/**
 * What is kept of a failure, so that it can be named again when rules change: bounded, and without keys, mail
 * addresses, ids, prompts and answers. All of it is plain JSON.
 */
export interface Evidence {
  /** The status that the client saw. */
  readonly status: number | null;
  /** Statuses named inside, the innermost first; 4 at most. */
  readonly statuses: readonly number[];
  /** Every nested code, type and reason as `key=value`; 16 of 64 characters at most. */
  readonly codes: readonly string[];
  /** The stated wait in milliseconds. */
  readonly waitMs: number | null;
  /** What was said, the innermost first, parted by ` ⟂ `; 300 characters at most. */
  readonly text: string;
}

const MAX_LAYER_LENGTH = 4_000;
const MAX_STATUSES = 4;
const MAX_CODES = 16;
const MAX_CODE_LENGTH = 64;
/** Parts an error from what was made of it; no provider writes it. */
const SEPARATOR = " ⟂ ";

/**
 * The evidence of a failure. Where its words are too many, those are kept by which it is classified: the verdict
 * over the evidence is the verdict over the failure wherever 300 characters can carry it.
 */
export function toEvidence(failure: Failure): Evidence {
  const facts = readFacts(failure);
  const wanted = classifyFacts(facts);
  const layers = facts.layers.map((layer) => scrubText(layer, MAX_LAYER_LENGTH, MAX_LAYER_LENGTH));
  const base = {
    status: facts.status,
    statuses: facts.statuses.slice(0, MAX_STATUSES),
    codes: facts.codes
      .filter((code) => code !== "wait=stated")
      .slice(0, MAX_CODES)
      .map(scrubCode),
    waitMs: facts.waitMs,
  };
  const provider = failure.provider;
  const isFaithful = (evidence: Evidence) => classifyEvidence(evidence, provider).outcome === wanted.outcome;
  const whole = { ...base, text: fit(layers) };
  if (isFaithful(whole)) return whole;
  for (const text of excerpts(layers)) {
    const excerpt = { ...base, text };
    if (isFaithful(excerpt)) return excerpt;
  }
  return whole;
}

/**
 * The words of a failure alone, as `toEvidence` keeps them, for one that is named already: several times cheaper,
 * since nothing is named again.
 */
export function toEvidenceText(failure: Failure): string {
  return fit(readFacts(failure).layers.map((layer) => scrubText(layer, MAX_LAYER_LENGTH, MAX_LAYER_LENGTH)));
}

/** Names evidence, as `classify` names the failure that it was taken from. */
export function classifyEvidence(evidence: Evidence, provider?: string): Classification {
  return classifyFacts(toFacts(evidence, provider));
}

/** `classifyEvidence` with rules of one's own, which are asked first. */
export function createEvidenceClassifier(
  own: readonly Rule[],
): (evidence: Evidence, provider?: string) => Classification {
  const classifyOwn = createFactsClassifier(own);
  return (evidence, provider) => classifyOwn(toFacts(evidence, provider));
}

function toFacts(evidence: Evidence, provider: string | undefined): Facts {
  const codes = evidence.waitMs === null ? evidence.codes : [...evidence.codes, "wait=stated"];
  return {
    status: evidence.status,
    statuses: evidence.statuses.filter(isErrorStatus),
    codes,
    layers: evidence.text === "" ? [] : evidence.text.split(SEPARATOR),
    waitMs: evidence.waitMs,
    provider: provider ? provider.toLowerCase() : null,
  };
}

/** Words joined by `_` or dots are a code as it should be; anything else may be what it should not. */
function scrubCode(code: string): string {
  const at = code.indexOf("=");
  if (code.length <= MAX_CODE_LENGTH && /^\w+=[A-Za-z]{1,24}(?:[_.][A-Za-z]{1,24})*$/.test(code)) return code;
  return `${code.slice(0, at)}=${scrubText(code.slice(at + 1), MAX_CODE_LENGTH - at - 1)}`;
}

/** The layers in one text: as much of the innermost as fits, then of the next. */
function fit(layers: readonly string[]): string {
  let text = "";
  for (const layer of layers) {
    const left = MAX_TEXT_LENGTH - text.length - (text === "" ? 0 : SEPARATOR.length);
    if (left < 20) break;
    const cut = layer.length <= left ? layer : `${layer.slice(0, left - 1).toWellFormed()}…`;
    text = text === "" ? cut : text + SEPARATOR + cut;
  }
  return text;
}

const MAX_EXCERPTS = 60;

/** Texts that hold another part of the words each: sentence by sentence, then the end. */
function excerpts(layers: readonly string[]): string[] {
  const sentences = layers.flatMap((layer) => layer.split(/[.!?。！？]\s+/));
  const texts = [...new Set(sentences)].slice(0, MAX_EXCERPTS).map((sentence) => fit([sentence]));
  const last = layers.at(-1) ?? "";
  return [...texts, last.slice(-MAX_TEXT_LENGTH).toWellFormed()];
}
