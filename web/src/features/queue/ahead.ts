import type { AheadHour, QueueDepth } from "../../../../server/contract/queue.ts";
import { heatStep } from "../../components/cell.ts";
import type { TableData } from "../../components/table-data.ts";
import type { Formats } from "../../messages/formats.ts";
import type { QueueWords } from "./use-queue-words.ts";

/** Bottom of a bar first: what is surest to run. */
export const KINDS = ["due", "ready", "scheduled", "held"] as const;
export type Kind = (typeof KINDS)[number];

/** An hour as it is drawn and told: picture, tooltip and table are made of the same. */
export interface HourColumn {
  readonly from: string;
  readonly label: string;
  readonly total: number;
  /** 0–1 of the fullest hour. */
  readonly height: number;
  readonly parts: readonly { readonly kind: Kind; readonly jobs: number }[];
  readonly look: "none" | `${number}`;
  readonly isGood: boolean;
  readonly when: string;
  readonly lines: readonly string[];
}

const sumOf = ({ jobs }: AheadHour) => KINDS.reduce((sum, kind) => sum + jobs[kind], 0);

export function toColumns(
  hours: readonly AheadHour[],
  words: QueueWords,
  formats: Formats,
): readonly HourColumn[] {
  const { ahead } = words;
  const most = Math.max(1, ...hours.map(sumOf));
  return hours.map((hour) => {
    const total = sumOf(hour);
    const parts = KINDS.map((kind) => ({ kind, jobs: hour.jobs[kind] })).filter(({ jobs }) => jobs > 0);
    const [fromMs, toMs] = [Date.parse(hour.from), Date.parse(hour.to)];
    return {
      from: hour.from,
      label: formats.time(fromMs),
      total,
      height: total / most,
      parts,
      look: hour.expected === null ? "none" : `${heatStep(hour.expected)}`,
      isGood: hour.isGood,
      when: `${formats.dateTime(fromMs)}–${formats.time(toMs)}`,
      lines: [
        total === 0 ? ahead.none : words.jobs(formats.count(total)),
        ...(total === 0 ? [] : parts.map(({ kind, jobs }) => `${formats.count(jobs)} ${ahead.kinds[kind]}`)),
        hour.expected === null ? ahead.unknown : ahead.expected(formats.share(hour.expected)),
        ...(hour.isGood ? [ahead.good] : []),
      ],
    };
  });
}

/** What the picture says, in a sentence: the fullest hour, all of them, and by whose pace. */
export function tellAhead(
  hours: readonly AheadHour[],
  perHour: number | null,
  { ahead }: QueueWords,
  formats: Formats,
): string[] {
  const fullest = hours.reduce<AheadHour | null>(
    (most, hour) => (most === null || sumOf(hour) > sumOf(most) ? hour : most),
    null,
  );
  const total = hours.reduce((sum, hour) => sum + sumOf(hour), 0);
  if (fullest === null || total === 0) return [];
  return [
    ahead.most(formats.time(Date.parse(fullest.from)), formats.count(sumOf(fullest))),
    ahead.byEnd(formats.count(total)),
    perHour === null ? ahead.noWorkers : ahead.pace(formats.count(Math.round(perHour))),
  ];
}

export function toAheadTable(
  hours: readonly AheadHour[],
  context: readonly string[],
  { ahead }: QueueWords,
): TableData {
  const { columns } = ahead;
  return {
    title: ahead.title,
    context,
    columns: Object.values(columns),
    rows: hours.map(({ from, to, jobs, expected, isGood }) => [
      from,
      to,
      jobs.ready,
      jobs.held,
      jobs.scheduled,
      jobs.due,
      expected,
      isGood ? ahead.yes : ahead.no,
    ]),
  };
}

/** All queues as one: counts added; what has no sum is left to each. */
export function sumDepths(queues: readonly QueueDepth[]) {
  const sum = (of: (depth: QueueDepth) => number) => queues.reduce((all, depth) => all + of(depth), 0);
  return {
    ready: sum(({ ready }) => ready),
    held: sum(({ held }) => held),
    scheduled: sum(({ scheduled }) => scheduled),
    leased: sum(({ leased }) => leased),
    completed: sum(({ lastHour }) => lastHour.completed),
    failed: sum(({ lastHour }) => lastHour.failed + lastHour.lost),
    busy: sum(({ lastHour }) => lastHour.busy),
    dead: sum(({ dead }) => dead),
  };
}

/** The latest time of the most urgent job of all; `null`: none has one. */
export function findNextDue(queues: readonly QueueDepth[]): string | null {
  const dues = queues.flatMap(({ nextDueAt }) => nextDueAt ?? []);
  return dues.sort((a, b) => Date.parse(a) - Date.parse(b))[0] ?? null;
}
