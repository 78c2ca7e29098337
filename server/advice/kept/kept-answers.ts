import type { Sql } from "../../../db/connect.ts";
import { DAY_MS, HOUR_MS } from "../../rollup/levels.ts";
import { type AnswerTo, answerQuestion, type Question } from "../question.ts";
import {
  findHistory,
  findKept,
  findPlanVersion,
  forgetAnswers,
  type History,
  keepAnswer,
  listAsked,
  listProjectsWithHistory,
  noteAsked,
  toText,
} from "./queries.ts";

/**
 * Advice that is worked out once an hour and kept. An answer holds until the hour is over, an earlier call turns up or
 * another plan is published; then the job makes those anew that people asked for of late, so that nobody waits for it.
 */
export interface KeptAnswers {
  /**
   * As of the last full hour. Where what was counted is behind, it is worked out as of now and not kept.
   *
   * @throws AppError 422 where the question names what cannot be
   */
  ask<Q extends Question>(projectId: number, question: Q, nowMs: number): Promise<AnswerTo<Q>>;
  /** Makes what is wanted and not there. @returns how many answers were made */
  refresh(nowMs: number): Promise<number>;
}

/** An older history is one whose job does not run. */
const OLDEST_HISTORY_MS = 2 * HOUR_MS;
const ASKED_WITHIN_MS = 3 * DAY_MS;
/** Each may take seconds: what was asked last is what is looked at. */
const MOST_REFRESHED = 5;
const MOST_KEPT = 50;

export function createKeptAnswers({ readSql, sql }: { readSql: Sql; sql: Sql }): KeptAnswers {
  const underWay = new Map<string, Promise<AnswerTo<Question>>>();

  /** What answers stand on now; `null` while what was counted is behind. */
  async function findBasis(projectId: number, nowMs: number): Promise<Basis | null> {
    const history = await findHistory(readSql, projectId);
    if (history === null) return null;
    return { projectId, history, planVersion: await findPlanVersion(readSql, projectId, nowMs) };
  }

  async function make<Q extends Question>(
    basis: Basis,
    question: Q,
    nowMs: number,
    askedAt: Date | null,
  ): Promise<AnswerTo<Q>> {
    const { projectId, history } = basis;
    const times = { asOfMs: history.toMs, planAtMs: nowMs, nowMs };
    const answer = await answerQuestion(readSql, question, { projectId, ...times });
    await keepAnswer(sql, keyOf(basis, question), answer, askedAt);
    return answer;
  }

  return {
    async ask(projectId, question, nowMs) {
      const basis = await findBasis(projectId, nowMs);
      const ageMs = basis === null ? Number.POSITIVE_INFINITY : nowMs - basis.history.toMs;
      if (basis === null || ageMs > OLDEST_HISTORY_MS || ageMs < 0)
        return answerQuestion(readSql, question, { projectId, asOfMs: nowMs, planAtMs: nowMs, nowMs });
      const key = keyOf(basis, question);
      const kept = await findKept(readSql, key);
      if (kept !== null) {
        await noteAsked(sql, key, new Date(nowMs));
        return kept;
      }
      const name = JSON.stringify({ ...key, question: toText(question) });
      let made = underWay.get(name) as Promise<AnswerTo<typeof question>> | undefined;
      if (made === undefined) {
        made = make(basis, question, nowMs, new Date(nowMs));
        underWay.set(name, made);
        made.finally(() => underWay.delete(name)).catch(() => {});
      }
      return made;
    },

    async refresh(nowMs) {
      let count = 0;
      const since = new Date(nowMs - ASKED_WITHIN_MS);
      for (const projectId of await listProjectsWithHistory(readSql)) {
        await forgetAnswers(sql, projectId, since, MOST_KEPT);
        const basis = await findBasis(projectId, nowMs);
        if (basis === null) continue;
        const asked = await listAsked(readSql, projectId, since, MOST_REFRESHED);
        const wanted = new Map([...listUsual(basis.history), ...asked].map((one) => [toText(one), one]));
        for (const question of wanted.values()) {
          if ((await findKept(readSql, keyOf(basis, question))) !== null) continue;
          await make(basis, question, nowMs, null);
          count++;
        }
      }
      return count;
    },
  };
}

/** What an answer holds for. */
interface Basis {
  readonly projectId: number;
  readonly history: History;
  readonly planVersion: number;
}

function keyOf<Q extends Question>({ projectId, history, planVersion }: Basis, question: Q) {
  return { projectId, question, historyVersion: history.version, planVersion };
}

/** What the pages ask before anybody has chosen anything. */
function listUsual({ timeZone: zone }: History): Question[] {
  return [
    { of: "windows", query: { zone, hours: 3 } },
    { of: "orders", query: { zone, deadlineMs: 60_000 } },
  ];
}
