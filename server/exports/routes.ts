import type { Db } from "../../db/drizzle.ts";
import type { KeptAnswers } from "../advice/kept/kept-answers.ts";
import { EXPORT_FORMATS, type ExportFormat, getExport, PLAN_FORMATS } from "../contract/exports.ts";
import { invalidQuery } from "../http/parse.ts";
import { readZone } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { findPublished } from "../plans/plans.ts";
import { toPublished } from "../plans/published.ts";
import { exportPlan } from "./export-plan.ts";
import type { ExportedFile } from "./format.ts";
import { describeLoss } from "./losses.ts";
import { writeCronJobs, writeCrontab } from "./timers.ts";

export function exportRoutes({ db, kept }: { db: Db; kept: KeptAnswers }): BoundRoute[] {
  return [
    bindRoute(getExport, async ({ project, params, query, nowMs }) => {
      const format = readFormat(params.format);
      const answer = (file: ExportedFile, planVersion: number | null) => ({
        format,
        fileName: file.fileName,
        mediaType: file.mediaType,
        content: file.content,
        planVersion,
        losses: file.losses.map((loss) => ({ loss, says: describeLoss(loss, query.locale) })),
      });
      const planFormat = PLAN_FORMATS.find((one) => one === format);
      if (planFormat !== undefined) {
        const { plan } = toPublished(await findPublished(db, project.id));
        const choice = { format: planFormat, chain: query.chain, at: query.at };
        return answer(exportPlan(plan, choice, nowMs), plan.version);
      }
      const { model, hours, allowed } = query;
      const zone = readZone(query.zone, project);
      const advice = await kept.ask(
        project.id,
        { of: "windows", query: { model, hours, allowed, zone } },
        nowMs,
      );
      return answer(format === "crontab" ? writeCrontab(advice) : writeCronJobs(advice), null);
    }),
  ];
}

function readFormat(text: string): ExportFormat {
  const format = EXPORT_FORMATS.find((one) => one === text);
  if (format !== undefined) return format;
  throw invalidQuery([{ pointer: ":format", detail: `must be one of ${EXPORT_FORMATS.join(", ")}` }]);
}
