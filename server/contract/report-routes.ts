import { forReaders } from "./callers.ts";
import * as report from "./report.ts";
import { defineRoute, type RouteContract } from "./route.ts";

export const getReports = defineRoute({
  method: "get",
  path: "/api/reports",
  summary: "The weeks that there is a report of.",
  access: forReaders,
  query: report.reportListQuery,
  answer: { status: 200, description: "The weeks, newest first.", schema: report.reportsAnswer },
});

export const getReport = defineRoute({
  method: "get",
  path: "/api/reports/:week",
  summary: "A week in figures and in words (Markdown), against the week before.",
  access: forReaders,
  params: report.reportParams,
  query: report.reportQuery,
  answer: { status: 200, description: "The report.", schema: report.reportAnswer },
});

export const REPORT_ROUTES: readonly RouteContract[] = [getReports, getReport];
