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

interface KnownCode {
  readonly places: readonly number[];
  readonly words: string;
}

interface IndexedPhrase {
  readonly phrase: Phrase;
  readonly place: number;
  /** Where in the phrase the word stands under which it is filed: it needs to be looked for only there. */
  readonly wordAt: number;
}

/** Rules in the order in which they are asked, with an index of what can make each of them apply. */
export interface RuleBook {
  readonly rules: readonly CompiledRule[];
  /** From this place on, rules speak of weak signs, such as a bare status; they are asked last. */
  readonly weakFrom: number;
  readonly byCode: ReadonlyMap<string, readonly number[]>;
  /** By the rarest whole word that the phrase contains. */
  readonly byWord: ReadonlyMap<string, readonly IndexedPhrase[]>;
  /** Phrases of nothing but beginnings of words: looked for in every text. */
  readonly beginnings: readonly IndexedPhrase[];
  /** Phrases in scripts that have no spaces. */
  readonly withoutWords: readonly IndexedPhrase[];
  readonly byStatus: ReadonlyMap<string, readonly number[]>;
  readonly names: readonly string[];
  /** Whether some indexed word has these marks, by `markOf`: most words of a text have not. */
  readonly marks: Uint8Array;
  readonly codes: Map<string, KnownCode>;
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
    for (const phrase of compiled.phrases) phrases.push({ phrase, place, wordAt: 0 });
    if (compiled.codes.length + compiled.phrases.length > 0) return;
    for (const status of compiled.statuses) push(byStatus, status, place);
  });
  const names = [...new Set(rules.flatMap((compiled) => compiled.names))];
  const index = indexPhrases(phrases);
  const marks = new Uint8Array(MARKS);
  for (const word of index.byWord.keys()) marks[markOf(word, 0, word.length)] = 1;
  return { rules, weakFrom: first.length, byCode, byStatus, names, marks, codes: new Map(), ...index };
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
  let codeWords = " ";
  for (const code of facts.codes) {
    const known = knowCode(book, code);
    pushAll(coded, known.places);
    codeWords += known.words;
  }
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

/** The rules that a code makes apply, and its words: the same few codes come again and again, so they are kept. */
function knowCode(book: RuleBook, code: string): KnownCode {
  const known = book.codes.get(code);
  if (known !== undefined) return known;
  const lower = code.toLowerCase();
  const at = lower.indexOf("=");
  const places = [...(book.byCode.get(lower) ?? []), ...(book.byCode.get(lower.slice(at + 1)) ?? [])];
  const made = { places, words: `${toWords(code.slice(at + 1)).slice(1)}| ` };
  if (book.codes.size >= MAX_KNOWN_CODES) book.codes.clear();
  book.codes.set(code, made);
  return made;
}

const MAX_KNOWN_CODES = 1_000;

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
  for (let start = 1; start < words.length; ) {
    const end = words.indexOf(" ", start);
    if (book.marks[markOf(words, start, end)] === 1) {
      for (const { phrase, place, wordAt } of book.byWord.get(words.slice(start, end)) ?? NONE) {
        const isThere =
          phrase.plain === null
            ? matchesPhrase(phrase, words)
            : words.startsWith(phrase.plain, start - wordAt);
        if (isThere) found.push(place);
      }
    }
    start = end + 1;
  }
  for (const { phrase, place } of book.beginnings) if (matchesPhrase(phrase, words)) found.push(place);
  if (/[^ -~]/.test(words)) {
    for (const { phrase, place } of book.withoutWords) if (matchesPhrase(phrase, words)) found.push(place);
  }
  return found;
}

const NONE: readonly IndexedPhrase[] = [];

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

function hasStatus(wanted: readonly string[], { status, statuses }: Facts): boolean {
  const fits = (one: number) => wanted.includes(String(one)) || wanted.includes(`${String(one)[0]}xx`);
  if (status === null) return statuses.length > 0 ? statuses.some(fits) : wanted.includes("0");
  return fits(status) || statuses.some(fits);
}

const MARKS = 8_192;

/** A small number made of a word's length, beginning and end, alike for like words. */
function markOf(text: string, start: number, end: number): number {
  const first = text.charCodeAt(start) * 7 + text.charCodeAt((start + end) >> 1) * 31;
  return (first + text.charCodeAt(end - 1) * 131 + (end - start) * 613) & (MARKS - 1);
}

/** Words of nearly every error, by which nothing is worth finding. */
const COMMON_WORDS =
  "api you your the is at of on in no not request requests rate error please model exceeded".split(" ");

/** Each phrase is filed under its rarest word, so that a common word such as "limit" wakes few rules. */
function indexPhrases(phrases: readonly IndexedPhrase[]) {
  const frequency = new Map<string, number>(COMMON_WORDS.map((word) => [word, 1_000]));
  for (const { phrase } of phrases) {
    for (const word of wholeWords(phrase)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  }
  const byWord = new Map<string, IndexedPhrase[]>();
  const beginnings: IndexedPhrase[] = [];
  const withoutWords: IndexedPhrase[] = [];
  for (const indexed of phrases) {
    const [rarest] = wholeWords(indexed.phrase).sort(
      (a, b) => (frequency.get(a) ?? 0) - (frequency.get(b) ?? 0),
    );
    const wordAt = (indexed.phrase.plain?.indexOf(` ${rarest} `) ?? 0) + 1;
    if (rarest !== undefined) push(byWord, rarest, { ...indexed, wordAt });
    else if (indexed.phrase.isWordless) withoutWords.push(indexed);
    else beginnings.push(indexed);
  }
  return { byWord, beginnings, withoutWords };
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
