import type { Facts } from "./facts.ts";
import { compilePhrase, matchesPhrase, type Phrase, phraseKey } from "./phrase.ts";
import type { Rule } from "./rule.ts";
import { toWords } from "./words.ts";

interface CompiledRule {
  readonly rule: Rule;
  readonly also: readonly Phrase[];
  readonly unless: readonly Phrase[];
  readonly provider: readonly string[];
}

interface IndexedPhrase {
  readonly phrase: Phrase;
  readonly rule: number;
}

/** Rules in the order in which they are asked, with an index of what can make each of them apply. */
export interface RuleBook {
  readonly rules: readonly CompiledRule[];
  /** From this place on, rules speak of weak signs, such as a bare status; they are asked last. */
  readonly weakFrom: number;
  readonly byCode: ReadonlyMap<string, readonly number[]>;
  /** By the first letters of a word that the phrase contains. */
  readonly byWord: ReadonlyMap<string, readonly IndexedPhrase[]>;
  readonly withoutWords: readonly IndexedPhrase[];
  readonly byStatus: ReadonlyMap<string, readonly number[]>;
  readonly providers: readonly string[];
}

/** Splits `a | b`. */
const alternatives = (list: string | undefined): string[] => (list === undefined ? [] : list.split(" | "));

/** The book of these rules: `strong` ones are asked of each layer, innermost first, `weak` ones of all at the end. */
export function createRuleBook(strong: readonly Rule[], weak: readonly Rule[] = []): RuleBook {
  const rules = [...strong, ...weak];
  const byCode = new Map<string, number[]>();
  const byStatus = new Map<string, number[]>();
  const phrases: IndexedPhrase[] = [];
  rules.forEach((rule, place) => {
    for (const code of alternatives(rule.code)) push(byCode, code.toLowerCase(), place);
    for (const text of alternatives(rule.text)) phrases.push({ phrase: compilePhrase(text), rule: place });
    if (rule.code === undefined && rule.text === undefined) {
      for (const status of alternatives(rule.status)) push(byStatus, status, place);
    }
  });
  const { byWord, withoutWords } = indexPhrases(phrases);
  const compiled = rules.map((rule) => ({
    rule,
    also: alternatives(rule.also).map(compilePhrase),
    unless: alternatives(rule.unless).map(compilePhrase),
    provider: alternatives(rule.provider),
  }));
  const providers = [...new Set(compiled.flatMap(({ provider }) => provider))];
  return { rules: compiled, weakFrom: strong.length, byCode, byWord, withoutWords, byStatus, providers };
}

/** The first rule of the book that applies to these facts, or `null`. */
export function findRule(book: RuleBook, facts: Facts): Rule | null {
  const coded = facts.codes.flatMap((code) => codeKeys(code).flatMap((key) => book.byCode.get(key) ?? []));
  const layers = facts.layers.map(toWords);
  const codeWords = toWords(facts.codes.map((code) => code.slice(code.indexOf("=") + 1)).join(" . "));
  const everything = layers.join("|") + codeWords;
  const spoken: number[] = [];
  for (const words of [...layers, codeWords]) {
    const heard = findPhrases(book, words);
    spoken.push(...heard);
    const found = firstThatApplies(book, [...coded, ...heard], facts, everything, 0, book.weakFrom);
    if (found) return found;
  }
  const status = effectiveStatus(facts);
  const byStatus = status === null ? (book.byStatus.get("none") ?? []) : statusRules(book, status);
  return firstThatApplies(book, [...coded, ...spoken, ...byStatus], facts, everything, 0, Infinity);
}

/** The status nearest to the cause: the innermost error status, else what the client saw. */
export function effectiveStatus(facts: Facts): number | null {
  return facts.statuses.find((status) => status >= 400) ?? facts.status ?? null;
}

/** A fact `key=value` is found by the whole and by its value. */
function codeKeys(code: string): readonly string[] {
  const lower = code.toLowerCase();
  const at = lower.indexOf("=");
  return at < 0 ? [lower] : [lower, lower.slice(at + 1)];
}

function findPhrases(book: RuleBook, words: string): number[] {
  const found: number[] = [];
  const seen = new Set<string>();
  const hear = ({ phrase, rule }: IndexedPhrase) => {
    if (matchesPhrase(phrase, words)) found.push(rule);
  };
  for (const word of words.split(" ")) {
    const key = word.slice(0, KEY_LENGTH);
    if (seen.has(key)) continue;
    seen.add(key);
    book.byWord.get(key)?.forEach(hear);
  }
  if (/[^ -~]/.test(words)) book.withoutWords.forEach(hear);
  return found;
}

function firstThatApplies(
  book: RuleBook,
  places: readonly number[],
  facts: Facts,
  everything: string,
  from: number,
  to: number,
): Rule | null {
  for (const place of [...places].sort((a, b) => a - b)) {
    if (place < from || place >= to) continue;
    const compiled = book.rules[place];
    if (compiled && applies(book, compiled, facts, everything)) return compiled.rule;
  }
  return null;
}

function applies(book: RuleBook, compiled: CompiledRule, facts: Facts, everything: string): boolean {
  const { rule, also, unless, provider } = compiled;
  if (rule.status !== undefined && !hasStatus(rule.status, facts)) return false;
  if (also.length > 0 && !also.some((phrase) => matchesPhrase(phrase, everything))) return false;
  if (unless.some((phrase) => matchesPhrase(phrase, everything))) return false;
  return provider.length === 0 || isSpokenBy(book, provider, facts.provider);
}

/** Own codes are believed of their provider, of an unknown one and of a gateway, not of another known provider. */
function isSpokenBy(book: RuleBook, names: readonly string[], provider: string | null): boolean {
  if (provider === null || names.some((name) => provider.includes(name))) return true;
  return !book.providers.some((name) => provider.includes(name));
}

function hasStatus(wanted: string, facts: Facts): boolean {
  const seen = facts.status === null ? facts.statuses : [facts.status, ...facts.statuses];
  return alternatives(wanted).some((one) =>
    seen.some((status) => (one.endsWith("xx") ? String(status)[0] === one[0] : String(status) === one)),
  );
}

function statusRules(book: RuleBook, status: number): readonly number[] {
  return [
    ...(book.byStatus.get(String(status)) ?? []),
    ...(book.byStatus.get(`${String(status)[0]}xx`) ?? []),
  ];
}

/** How many letters of a word the index knows. */
const KEY_LENGTH = 5;

/** Each phrase is filed under its rarest word, so that a common word such as "limit" wakes few rules. */
function indexPhrases(phrases: readonly IndexedPhrase[]) {
  const frequency = new Map<string, number>();
  for (const { phrase } of phrases) {
    for (const key of phraseKey(phrase, KEY_LENGTH)) frequency.set(key, (frequency.get(key) ?? 0) + 1);
  }
  const byWord = new Map<string, IndexedPhrase[]>();
  const withoutWords: IndexedPhrase[] = [];
  for (const indexed of phrases) {
    const [rarest] = phraseKey(indexed.phrase, KEY_LENGTH).sort(
      (a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0),
    );
    if (rarest === undefined) withoutWords.push(indexed);
    else push(byWord, rarest, indexed);
  }
  return { byWord, withoutWords };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}
