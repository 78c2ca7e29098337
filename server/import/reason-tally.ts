/** Why rows were rejected: how often, and where it was seen first. */
export interface Reason {
  readonly pointer: string;
  readonly detail: string;
  readonly count: number;
  readonly file: string;
  readonly line: number;
}

export interface Reject {
  readonly file: string;
  readonly line: number;
  /** JSON Pointer into the event, `""` for the row as a whole. */
  readonly pointer: string;
  readonly detail: string;
}

/** More kinds of reasons than anybody reads; further ones are counted as one. */
const MAX_KINDS = 1_000;

/** Counts rejects by reason; reasons that differ in numbers only are one. */
export class ReasonTally {
  readonly #reasons = new Map<string, Reason>();
  #total = 0;

  get total(): number {
    return this.#total;
  }

  add({ file, line, pointer, detail }: Reject): void {
    this.#total++;
    const kind = `${pointer} ${detail.replace(/[\d.:TZ-]*\d[\d.:TZ-]*/g, "#")}`;
    const known = this.#reasons.get(kind);
    if (known !== undefined) this.#reasons.set(kind, { ...known, count: known.count + 1 });
    else if (this.#reasons.size < MAX_KINDS)
      this.#reasons.set(kind, { pointer, detail, count: 1, file, line });
  }

  /** Most frequent first; ties in the order they were met. */
  top(limit: number): Reason[] {
    return [...this.#reasons.values()].sort((a, b) => b.count - a.count).slice(0, limit);
  }
}

/** `12 × /latencyMs must be a number (calls.csv, line 17)` */
export function formatReason({ pointer, detail, count, file, line }: Reason): string {
  const subject = pointer === "" ? "the row" : pointer;
  return `${count.toLocaleString("en")} × ${subject} ${detail} (${count > 1 ? "first: " : ""}${file}, line ${line})`;
}
