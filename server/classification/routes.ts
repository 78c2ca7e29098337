import type { Sql } from "../../db/connect.ts";
import { parseCursor, toCursor } from "../attempts/page.ts";
import { noteChangeSql } from "../audit/note-change.ts";
import * as contract from "../contract/routes.ts";
import { invalidBody } from "../http/parse.ts";
import { readRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { type Classifiers, toClassifier } from "./classifiers.ts";
import { listRules, replaceRules } from "./queries.ts";
import { reclassify } from "./reclassify.ts";

export interface ClassificationDeps {
  readonly sql: Sql;
  readonly classifiers: Classifiers;
  /** Called after outcomes were changed. */
  readonly onReclassified: () => void;
}

export function classificationRoutes({ sql, classifiers, onReclassified }: ClassificationDeps): BoundRoute[] {
  return [
    bindRoute(contract.getClassificationRules, async ({ project }) => ({
      rules: await listRules(sql, project.id),
    })),
    bindRoute(contract.putClassificationRules, async ({ project, body, occasion }) => {
      // A phrase that the schema takes and the classifier cannot read is a fault of ours, found before it is stored.
      toClassifier(body.rules);
      await sql.begin(async (tx) => {
        const before = await listRules(tx, project.id);
        await replaceRules(tx, project.id, body.rules);
        if (JSON.stringify(before) === JSON.stringify(body.rules)) return;
        await noteChangeSql(tx, occasion, {
          action: "rules.replaced",
          project,
          subject: project,
          before: { rules: before },
          after: { rules: body.rules },
        });
      });
      classifiers.forget(project.id);
      return { rules: await listRules(sql, project.id) };
    }),
    bindRoute(contract.postReclassifications, async ({ project, body, nowMs, occasion }) => {
      const range = readRange(body, nowMs, Number.POSITIVE_INFINITY, "/");
      const after = body.cursor === undefined ? null : parseCursor(body.cursor);
      if (body.cursor !== undefined && after === null) {
        throw invalidBody([{ pointer: "/cursor", detail: "must be the `next` of an answer, unchanged" }]);
      }
      // What another server changed a moment ago must hold here.
      classifiers.forget(project.id);
      const { examined, changes, reached, isDone } = await reclassify(sql, {
        projectId: project.id,
        range: {
          from: new Date(Math.max(range?.fromMs ?? 0, 0)),
          to: new Date(range?.toMs ?? LATEST_MS),
        },
        after,
        isDryRun: body.dryRun === true,
        classifier: await classifiers.of(project.id),
        note: (tx, { attempts, from, to }) =>
          noteChangeSql(tx, occasion, {
            action: "outcomes.renamed",
            project,
            subject: project,
            after: { attempts, from: from.toISOString(), to: to.toISOString() },
          }),
      });
      if (body.dryRun !== true && changes.length > 0) onReclassified();
      return {
        examined,
        changes,
        reached: reached === null ? null : new Date(reached.occurredAtMs).toISOString(),
        next:
          isDone || reached === null
            ? null
            : toCursor({ occurredAt: new Date(reached.occurredAtMs), eventId: reached.eventId }),
      };
    }),
  ];
}

/** After every attempt that can be stored. */
const LATEST_MS = Date.UTC(2200, 0, 1);
