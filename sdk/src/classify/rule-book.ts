import type { Outcome } from "../outcome.ts";
import type { Facts } from "./facts.ts";
import { compilePhrases, matchesPhrase, type Phrase, wholeWords } from "./phrase.ts";
import type { Rule, RuleTable, RuleWords } from "./rule.ts";
import { toWords } from "./words.ts";

/** A rule in its place in a book. */
export interface PlacedRule extends RuleWords {
  readonly id: string;
  readonly outcome: Outcome;
}

interface CompiledRule {
  readonly rule: PlacedRule;
  readonly codes: readonly string[];
  readonly phrases: readonly Phrase[];
  readonly also: readonly Phrase[];
  readonly unless: readonly Phrase[];
  readonly statuses: readonly string[];
  readonly names: readonly string[];
  readonly isNameNeeded: boolean;
}

interface IndexedPhrase {
  readonly phrase: Phrase;
  readonly place: number;
}

/** Rules in the order in which they are asked, with an index of what can make each of them apply. */
export interface RuleBook {
  readonly rules: readonly CompiledRule[];
  /** From this place on, rules speak of weak signs, such as a bare status; they are asked last. */
  readonly weakFrom: number;
  readonly byCode: ReadonlyMap<string, readonly number[]>;
  /** By the rarest whole word that the phrase contains. */
  readonly byWord: ReadonlyMap<string, readonly IndexedPhrase[]>;
  /** By the first letters, where a phrase has only beginnings of words. */
  readonly byBeginning: ReadonlyMap<string, readonly IndexedPhrase[]>;
  readonly withoutWords: readonly IndexedPhrase[];
  readonly byStatus: ReadonlyMap<string, readonly number[]>;
  readonly names: readonly string[];
}

type Tables = Readonly<Record<string, RuleTable>>;

/** The book of one's own rules, then `strong` ones, asked layer by layer, then `weak` ones, asked of everything. */
export function createRuleBook(own: readonly Rule[], strong: Tables, weak: Tables): RuleBook {
  const first = [...own.map((rule) => compileRule(rule, {})), ...compileTables(strong)];
  const rules = [...first, ...compileTables(weak)];
  const byCode = new Map<string, number[]>();
  const byStatus = new Map<string, number[]>();
  const phrases: IndexedPhrase[] = [];
  rules.forEach((compiled, place) => {
    for (const code of compiled.codes) push(byCode, code, place);
    for (const phrase of compiled.phrases) phrases.push({ phrase, place });
    if (compiled.codes.length + compiled.phrases.length > 0) return;
    for (const status of compiled.statuses) push(byStatus, status, place);
  });
  const names = [...new Set(rules.flatMap((compiled) => compiled.names))];
  return { rules, weakFrom: first.length, byCode, byStatus, names, ...indexPhrases(phrases) };
}

/** Every rule of some tables, with its id. */
export function listRules(tables: Tables): PlacedRule[] {
  return Object.entries(tables).flatMap(([name, table]) =>
    Object.entries(table).flatMap(([key, words]) =>
      typeof words === "object"
        ? [{ ...words, id: `${name}/${key}`, outcome: key.split(":")[0] as Outcome }]
        : [],
    ),
  );
}

function compileTables(tables: Tables): CompiledRule[] {
  return Object.entries(tables).flatMap(([name, table]) =>
    listRules({ [name]: table }).map((rule) => compileRule(rule, table)),
  );
}

const list = (text: string | undefined): string[] => (text === undefined ? [] : text.split(" "));

function compileRule(rule: PlacedRule, table: RuleTable): CompiledRule {
  const field = table.field ?? "code";
  return {
    rule,
    codes: list(rule.code).map((code) => (/^\d+$/.test(code) ? `${field}=${code}` : code.toLowerCase())),
    phrases: compilePhrases(rule.text),
    also: compilePhrases(rule.also),
    unless: compilePhrases(rule.unless),
    statuses: list(rule.status),
    names: list(table.names),
    isNameNeeded: table.isNameNeeded === true,
  };
}

/** The first rule of the book that applies to these facts, or `null`. */
export function findRule(book: RuleBook, facts: Facts): PlacedRule | null {
  const coded: number[] = [];
  let values = "";
  for (const code of facts.codes) {
    const lower = code.toLowerCase();
    const at = lower.indexOf("=");
    pushAll(coded, book.byCode.get(lower));
    pushAll(coded, book.byCode.get(lower.slice(at + 1)));
    values += `${code.slice(at + 1)}\n`;
  }
  const codeWords = toWords(values);
  const layers = facts.layers.map(toWords);
  const everything = layers.join("|") + codeWords;
  const heard: number[] = [];
  for (const words of [...layers, codeWords]) {
    const found = findPhrases(book, words);
    pushAll(heard, found);
    const rule = firstThatApplies(book, [...coded, ...found], facts, everything, book.weakFrom);
    if (rule) return rule;
  }
  const status = effectiveStatus(facts);
  if (status !== null) {
    pushAll(heard, book.byStatus.get(String(status)));
    pushAll(heard, book.byStatus.get(`${String(status)[0]}xx`));
  }
  return firstThatApplies(book, [...coded, ...heard], facts, everything, Number.POSITIVE_INFINITY);
}

/** The status nearest to the cause: the innermost error status, else what the client saw. */
export function effectiveStatus(facts: Facts): number | null {
  return facts.statuses[0] ?? facts.status;
}

function pushAll(target: number[], more: readonly number[] | undefined): void {
  if (more) for (const one of more) target.push(one);
}

/** The places of the rules of which a phrase is in the text. */
function findPhrases(book: RuleBook, words: string): number[] {
  const found: number[] = [];
  const hear = (candidates: readonly IndexedPhrase[] | undefined) => {
    if (candidates === undefined) return;
    for (const { phrase, place } of candidates) if (matchesPhrase(phrase, words)) found.push(place);
  };
  for (let start = 1; start < words.length; ) {
    const end = words.indexOf(" ", start);
    const word = words.slice(start, end);
    hear(book.byWord.get(word));
    if (word.length >= BEGINNING) hear(book.byBeginning.get(word.slice(0, BEGINNING)));
    start = end + 1;
  }
  if (/[^ -~]/.test(words)) hear(book.withoutWords);
  return found;
}

function firstThatApplies(
  book: RuleBook,
  places: number[],
  facts: Facts,
  everything: string,
  end: number,
): PlacedRule | null {
  places.sort((a, b) => a - b);
  for (const place of places) {
    const compiled = book.rules[place];
    if (place >= end || compiled === undefined) return null;
    if (applies(book, compiled, facts, everything)) return compiled.rule;
  }
  return null;
}

function applies(book: RuleBook, compiled: CompiledRule, facts: Facts, everything: string): boolean {
  const { also, unless, statuses } = compiled;
  if (statuses.length > 0 && !hasStatus(statuses, facts)) return false;
  if (also.length > 0 && !also.some((phrase) => matchesPhrase(phrase, everything))) return false;
  if (unless.some((phrase) => matchesPhrase(phrase, everything))) return false;
  return compiled.names.length === 0 || isSpokenBy(book, compiled, facts.provider);
}

/** Own codes are believed of their provider, of an unknown one and of a gateway, not of another known provider. */
function isSpokenBy(book: RuleBook, { names, isNameNeeded }: CompiledRule, provider: string | null): boolean {
  if (provider !== null && names.some((name) => provider.includes(name))) return true;
  return !isNameNeeded && (provider === null || !book.names.some((name) => provider.includes(name)));
}

function hasStatus(wanted: readonly string[], facts: Facts): boolean {
  const seen = facts.status === null ? facts.statuses : [facts.status, ...facts.statuses];
  return seen.some((status) => wanted.includes(String(status)) || wanted.includes(`${String(status)[0]}xx`));
}

/** How many letters of the beginning of a word the index knows. */
const BEGINNING = 4;

/** Each phrase is filed under its rarest word, so that a common word such as "limit" wakes few rules. */
function indexPhrases(phrases: readonly IndexedPhrase[]) {
  const frequency = new Map<string, number>();
  for (const { phrase } of phrases) {
    for (const word of wholeWords(phrase)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const byWord = new Map<string, IndexedPhrase[]>();
  const byBeginning = new Map<string, IndexedPhrase[]>();
  const withoutWords: IndexedPhrase[] = [];
  for (const indexed of phrases) {
    const [rarest] = wholeWords(indexed.phrase).sort(
      (a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0),
    );
    const beginning = indexed.phrase.words.find((word) => word.length > BEGINNING && /^[a-z]+\*$/.test(word));
    if (rarest !== undefined) push(byWord, rarest, indexed);
    else if (beginning !== undefined) push(byBeginning, beginning.slice(0, BEGINNING), indexed);
    else withoutWords.push(indexed);
  }
  return { byWord, byBeginning, withoutWords };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
