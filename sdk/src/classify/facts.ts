/** What is known of a failure, bounded in size, once its shape has been read: all that rules look at. */
export interface Facts {
  /** The status that the client saw. */
  readonly status: number | null;
  /** Statuses named inside, the innermost first. */
  readonly statuses: readonly number[];
  /** Every nested code, type and reason as `key=value`, the innermost first. */
  readonly codes: readonly string[];
  /** What was said, the innermost first: an error quoted in an error comes before what was made of it. */
  readonly layers: readonly string[];
  readonly waitMs: number | null;
  /** Lower case; `null` when it is not known. */
  readonly provider: string | null;
}

const MAX_CODES = 32;
const MAX_CODE_LENGTH = 100;
const MAX_LAYERS = 8;
const MAX_TEXT_LENGTH = 4_000;

/** The innermost first; equal levels keep their order. */
const inner = <T>(list: Leveled<T>[]): Leveled<T>[] =>
  list.length < 2 ? list : list.sort((a, b) => b.level - a.level);

interface Leveled<T> {
  readonly level: number;
  readonly value: T;
}

/** Collects facts while a failure is read; a level counts how deep an error lies inside others. */
export class FactCollector {
  readonly #codes: Leveled<string>[] = [];
  readonly #statuses: Leveled<number>[] = [];
  readonly #texts: Leveled<string>[] = [];
  readonly #waits: Leveled<number>[] = [];
  /** Whether a field says by being there that something failed. */
  hasError = false;

  addCode(key: string, value: string | number, level: number): void {
    const text = String(value);
    if (text === "" || text.length > MAX_CODE_LENGTH || this.#codes.length >= MAX_CODES) return;
    this.#codes.push({ level, value: `${key}=${text}` });
  }

  addStatus(status: number, level: number): void {
    if (isErrorStatus(status)) this.#statuses.push({ level, value: status });
  }

  addText(text: string, level: number): void {
    const trimmed = text.trim();
    if (trimmed === "" || this.#texts.length >= MAX_CODES) return;
    if (this.#texts.some((known) => known.value === trimmed)) return;
    this.#texts.push({ level, value: trimmed });
  }

  /** Waits of nothing or less say nothing. */
  addWait(milliseconds: number, level: number): void {
    if (milliseconds > 0 && Number.isFinite(milliseconds)) this.#waits.push({ level, value: milliseconds });
  }

  toFacts(status: number | null, waitMs: number | null, provider: string | undefined): Facts {
    const layers = new Map<number, string>();
    for (const { level, value } of inner(this.#texts)) {
      const said = layers.get(level);
      layers.set(level, said === undefined ? value : `${said}\n${value}`);
    }
    // Worth a word only where the status says that all is well.
    if (this.hasError && status !== null && status < 300) this.addCode("has", "erred", -1);
    const wait = waitMs ?? inner(this.#waits)[0]?.value ?? null;
    return {
      status,
      statuses: inner(this.#statuses).map(({ value }) => value),
      codes: inner(this.#codes).map(({ value }) => value),
      layers: [...layers.values()].slice(0, MAX_LAYERS).map((text) => text.slice(0, MAX_TEXT_LENGTH)),
      waitMs: wait === null ? null : Math.round(wait),
      provider: provider ? provider.toLowerCase() : null,
    };
  }
}

/** From 400 to 599: what a body or a text may claim to be a status. */
export function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599;
}
