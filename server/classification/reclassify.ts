import { OUTCOMES, type Outcome } from "@busyhour/sdk";
import type { ISql, Sql } from "../../db/connect.ts";
import type { ReclassifyAnswer } from "../contract/classification.ts";
import { outcomeCode } from "../ingest/row.ts";
import type { Classifier } from "./classifiers.ts";
import { fromStoredEvidence } from "./evidence.ts";
import {
  listUnnamed,
  type Renaming,
  type RowPlace,
  renameOutcomes,
  touchMinutes,
  type UnnamedRow,
} from "./queries.ts";

export interface ReclassifyQuestion {
  readonly projectId: number;
  readonly range: { readonly from: Date; readonly to: Date };
  readonly after: RowPlace | null;
  readonly isDryRun: boolean;
  readonly classifier: Classifier;
  /** Called in the transaction of each batch that changes outcomes. */
  readonly note: (tx: ISql, batch: RenamedBatch) => Promise<void>;
}

/** Attempts that got another outcome, and when the first and the last of them occurred. */
export interface RenamedBatch {
  readonly attempts: number;
  readonly from: Date;
  readonly to: Date;
}

const ROWS_PER_BATCH = 2_000;
const BATCHES_PER_CALL = 5;

/**
 * Names stored attempts anew from their evidence, some thousands of them, in batches of one transaction each. An
 * attempt whose sender named its outcome stays as it is. What changes brings its minutes onto the rollup job's queue.
 * Running it again changes nothing more.
 */
export async function reclassify(
  sql: Sql,
  question: ReclassifyQuestion,
): Promise<
  Omit<ReclassifyAnswer, "next" | "reached"> & { readonly reached: RowPlace | null; isDone: boolean }
> {
  const changes = new Map<string, number>();
  let examined = 0;
  let { after } = question;
  for (let batch = 0; batch < BATCHES_PER_CALL; batch++) {
    const rows = await sql.begin((tx) => reclassifyBatch(tx, { ...question, after }, changes));
    examined += rows.length;
    const last = rows.at(-1);
    if (last !== undefined) after = { occurredAtMs: last.occurredAt.getTime(), eventId: last.eventId };
    if (rows.length < ROWS_PER_BATCH)
      return { examined, changes: toList(changes), reached: after, isDone: true };
  }
  return { examined, changes: toList(changes), reached: after, isDone: false };
}

async function reclassifyBatch(
  tx: ISql,
  { projectId, range, after, isDryRun, classifier, note }: ReclassifyQuestion,
  changes: Map<string, number>,
): Promise<UnnamedRow[]> {
  await tx`set local enable_seqscan = off`;
  await tx`set local jit = off`;
  const page = { after, unknownCode: outcomeCode("unknown"), limit: ROWS_PER_BATCH };
  const rows = await listUnnamed(tx, projectId, range, page);
  const renamings: Renaming[] = [];
  const changedAtMs: number[] = [];
  for (const row of rows) {
    const { outcome, rule } = nameAgain(row, classifier);
    const code = outcomeCode(outcome);
    if (code === row.outcome && rule === row.evidence?.rule) continue;
    const occurredAtMs = row.occurredAt.getTime();
    renamings.push({ occurredAtMs, eventId: row.eventId, outcome: code, rule });
    if (code === row.outcome) continue;
    changedAtMs.push(occurredAtMs);
    const change = `${row.outcome} ${code}`;
    changes.set(change, (changes.get(change) ?? 0) + 1);
  }
  if (isDryRun || renamings.length === 0) return rows;
  await renameOutcomes(tx, projectId, renamings);
  await touchMinutes(tx, projectId, changedAtMs);
  const [first, last] = [changedAtMs[0], changedAtMs.at(-1)];
  if (first !== undefined && last !== undefined) {
    await note(tx, { attempts: changedAtMs.length, from: new Date(first), to: new Date(last) });
  }
  return rows;
}

function nameAgain(
  { evidence, httpStatus, provider }: UnnamedRow,
  { classifyEvidence }: Classifier,
): { outcome: Outcome; rule: string } {
  const { outcome, rule } = classifyEvidence(fromStoredEvidence(evidence ?? {}, httpStatus), provider);
  return { outcome: outcome === "ok" ? "unknown" : outcome, rule: rule.slice(0, 100) };
}

function toList(changes: ReadonlyMap<string, number>): ReclassifyAnswer["changes"] {
  return [...changes]
    .map(([change, attempts]) => {
      const [from = 0, to = 0] = change.split(" ").map(Number);
      return { from: OUTCOMES[from] ?? "unknown", to: OUTCOMES[to] ?? "unknown", attempts };
    })
    .sort((a, b) => b.attempts - a.attempts);
}
