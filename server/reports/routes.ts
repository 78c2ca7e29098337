import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/report-routes.ts";
import { invalidQuery } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { getReport, listWeeks } from "./reports.ts";
import { readWeek } from "./week.ts";

export function reportRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.getReports, async ({ project, nowMs }) => listWeeks(sql, project, nowMs)),
    bindRoute(contract.getReport, async ({ project, params, query, nowMs }) => {
      const week = readWeek(project.timeZone, params.week);
      if (week === null) throw invalidQuery([{ pointer: ":week", detail: "is no week of the calendar" }]);
      if (week.fromMs > nowMs) throw invalidQuery([{ pointer: ":week", detail: "has not begun" }]);
      return getReport(sql, project, { week, locale: query.locale, nowMs });
    }),
  ];
}
