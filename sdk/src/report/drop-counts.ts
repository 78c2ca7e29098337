import type { ReporterNote } from "./store.ts";

/** Sources that are counted apart; what comes after these is counted under the empty name. */
const MAX_SOURCES = 50;
const MAX_SOURCE_LENGTH = 100;

/** Counts what a reporter lost, by source, and what of it the server knows. */
export interface DropCounts {
  add(source: string, count: number): void;
  readonly total: number;
  /** Everything lost so far; `null` when that is nothing. */
  note(): ReporterNote | null;
  /** The same, unless the server knows it already. */
  findNews(): ReporterNote | null;
  onTold(note: ReporterNote): void;
}

const sum = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((a, b) => a + b, 0);

/** @param id the reporter's own; asked for when there is something to tell */
export function createDropCounts(id: () => string): DropCounts {
  const counts = new Map<string, number>();
  let total = 0;
  let told = 0;
  const note = (): ReporterNote | null =>
    total === 0 ? null : { id: id(), dropped: Object.fromEntries(counts) };
  return {
    add(source, count) {
      const name = counts.has(source) || (counts.size < MAX_SOURCES && isName(source)) ? source : "";
      counts.set(name, (counts.get(name) ?? 0) + count);
      total += count;
    },
    get total() {
      return total;
    },
    note,
    findNews: () => (total > told ? note() : null),
    onTold({ dropped }) {
      told = Math.max(told, sum(dropped));
    },
  };
}

/** Whether the server would take it: for a name that it refuses it would refuse the events beside it. */
function isName(source: unknown): boolean {
  return typeof source === "string" && source.length <= MAX_SOURCE_LENGTH && !/[\0\p{Cs}]/u.test(source);
}
