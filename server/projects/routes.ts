import type { Db } from "../../db/drizzle.ts";
import * as contract from "../contract/routes.ts";
import { invalidBody } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { findZone } from "../time/zone.ts";
import { listProjects, listProjectsWithCalls, toProjectRecord, updateProject } from "./projects.ts";

export function projectRoutes({ db, onChanged }: { db: Db; onChanged: () => void }): BoundRoute[] {
  return [
    bindRoute(contract.getProjects, async ({ principal, project }) => {
      const rows = principal.via === "key" ? [project] : await listProjects(db);
      const withCalls = await listProjectsWithCalls(db);
      return { projects: rows.map((row) => ({ ...toProjectRecord(row), hasCalls: withCalls.has(row.id) })) };
    }),
    bindRoute(contract.patchProject, async ({ project, body }) => {
      const timeZone = body.timeZone === undefined ? undefined : findZone(body.timeZone);
      if (timeZone === null) {
        throw invalidBody([
          { pointer: "/timeZone", detail: "is no IANA time zone, like Europe/Berlin or Asia/Shanghai" },
        ]);
      }
      const changed = await updateProject(db, project.id, { ...body, timeZone });
      onChanged();
      return toProjectRecord(changed ?? project);
    }),
  ];
}
