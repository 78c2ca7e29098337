import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/advice-routes.ts";
import { readInstant, readZone } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { getCapacity } from "./capacity-now.ts";
import type { KeptAnswers } from "./kept/kept-answers.ts";
import { type AnswerTo, answerQuestion, type Question } from "./question.ts";

export function adviceRoutes({ sql, kept }: { sql: Sql; kept: KeptAnswers }): BoundRoute[] {
  async function answer<Q extends Question>(
    question: Q,
    { project, asOf, nowMs }: { project: ProjectRow; asOf: string | undefined; nowMs: number },
  ): Promise<AnswerTo<Q>> {
    if (asOf === undefined) return kept.ask(project.id, question, nowMs);
    const asOfMs = readInstant(asOf, "?asOf");
    return answerQuestion(sql, question, { projectId: project.id, asOfMs, planAtMs: asOfMs, nowMs });
  }

  return [
    bindRoute(contract.getAdvice, async ({ project, nowMs, query: { project: _, asOf, zone, ...query } }) =>
      answer({ of: "windows", query: { ...query, zone: readZone(zone, project) } }, { project, asOf, nowMs }),
    ),
    bindRoute(contract.getOrders, async ({ project, nowMs, query: { project: _, asOf, zone, ...query } }) =>
      answer({ of: "orders", query: { ...query, zone: readZone(zone, project) } }, { project, asOf, nowMs }),
    ),
    bindRoute(contract.getCapacity, async ({ project, query, nowMs }) =>
      getCapacity(sql, {
        projectId: project.id,
        filter: query,
        zone: readZone(query.zone, project),
        asOfMs: nowMs,
        wish: { lengthHours: query.hours, allowed: () => true },
      }),
    ),
  ];
}
