import { finished } from "node:stream/promises";
import type { AttemptEvent } from "@busyhour/sdk";
import type { Sql } from "../../../db/connect.ts";
import type { Attempt } from "../../../server/ingest/attempt.ts";
import { createDictionary } from "../../../server/ingest/dictionary.ts";
import { parseAttempt } from "../../../server/ingest/parse-attempt.ts";
import { type AttemptRow, COLUMNS } from "../../../server/ingest/row.ts";
import { createPartitionKeeper, toDayNumber } from "../../../server/retention/partitions.ts";
import { type EventSet, inGroups } from "./events.ts";

const DEFAULT_PROJECT_ID = 1;
const COLUMN_NAMES = COLUMNS.map(([name]) => name);

/**
 * The rows that the server would make of the events, as texts for COPY; series and partitions are made on the way.
 */
export async function prepareCopy(sql: Sql, set: EventSet, rowsPerText: number): Promise<Buffer[]> {
  const dictionary = createDictionary(sql);
  const partitions = createPartitionKeeper(sql);
  const limits = { nowMs: Date.now(), rawRetentionDays: 400 };
  const parse = (event: AttemptEvent) => {
    const parsed = parseAttempt(event, limits);
    if (!parsed.ok) throw new Error(`${parsed.pointer} ${parsed.detail}`);
    return parsed.attempt;
  };
  const toText = async (attempts: readonly Attempt[]) => {
    await partitions.ensureDays(new Set(attempts.map(({ occurredAtMs }) => toDayNumber(occurredAtMs))));
    const rows = await dictionary.toRows(DEFAULT_PROJECT_ID, attempts);
    return Buffer.from(rows.map((row) => toLine(row as AttemptRow)).join(""));
  };
  const texts: Buffer[] = [];
  for (const attempts of inGroups(set, rowsPerText, (events) => events.map(parse)))
    texts.push(await toText(attempts));
  return texts;
}

function toLine(row: AttemptRow): string {
  const cells = COLUMNS.map(([name, , cell]) => {
    if (name === "occurred_at") return new Date(row.attempt.occurredAtMs).toISOString();
    if (name === "evidence")
      return row.attempt.evidence === null ? null : JSON.stringify(row.attempt.evidence);
    return cell(row);
  });
  return `${cells.map((cell) => (cell === null ? "\\N" : escapeText(String(cell)))).join("\t")}\n`;
}

function escapeText(text: string): string {
  return text.replace(/[\\\t\n\r]/g, (character) => `\\${character}`);
}

/** Copies the texts one after the other on one connection, a commit each. @returns milliseconds */
export async function copyAll(sql: Sql, texts: readonly Buffer[]): Promise<number> {
  const startedAt = performance.now();
  for (const text of texts) {
    const stream = await sql`copy attempt (${sql(COLUMN_NAMES)}) from stdin`.writable();
    stream.end(text);
    await finished(stream);
  }
  return performance.now() - startedAt;
}
