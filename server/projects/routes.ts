import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import type { Principal } from "../access/principal.ts";
import * as contract from "../contract/access-routes.ts";
import type { Role } from "../contract/route.ts";
import { AppError } from "../http/app-error.ts";
import { invalidBody } from "../http/parse.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { listRoles } from "../people/members.ts";
import { findZone } from "../time/zone.ts";
import {
  createProject,
  DEFAULT_PROJECT,
  findProject,
  listProjects,
  listProjectsWithCalls,
  type ProjectRow,
  SAMPLE_PROJECT,
  slugTaken,
  toProjectRecord,
  updateProject,
} from "./projects.ts";
import { removeProject } from "./remove-project.ts";

export interface ProjectDeps {
  readonly db: Db;
  readonly sql: Sql;
  readonly onChanged: () => void;
  readonly onRemoved: (projectId: number) => void;
}

export function projectRoutes({ db, sql, onChanged, onRemoved }: ProjectDeps): BoundRoute[] {
  return [
    bindRoute(contract.getProjects, async ({ principal }) => {
      const visible = await listVisible(db, principal);
      const withCalls = await listProjectsWithCalls(db);
      return {
        projects: visible.map(({ row, role }) => ({
          ...toProjectRecord(row),
          hasCalls: withCalls.has(row.id),
          role,
        })),
      };
    }),
    bindRoute(contract.postProjects, async ({ body, occasion }) => {
      const timeZone = readZone(body.timeZone);
      if (body.slug === SAMPLE_PROJECT) throw slugTaken("is the name of the sample data");
      return toProjectRecord(await createProject(db, { ...body, timeZone }, occasion));
    }),
    bindRoute(contract.patchProject, async ({ project, body, occasion }) => {
      const timeZone = body.timeZone === undefined ? undefined : readZone(body.timeZone);
      const changed = await updateProject(db, project.id, { ...body, timeZone }, occasion);
      onChanged();
      return toProjectRecord(changed ?? project);
    }),
    bindRoute(contract.deleteProject, async ({ params, occasion }) => {
      const project = await findProject(db, params.slug);
      if (project === null) {
        throw new AppError({ status: 404, code: "no_such_project", title: "There is no such project" });
      }
      if (project.slug === DEFAULT_PROJECT || project.isSample) throw projectStays(project);
      await removeProject(sql, project, occasion);
      onRemoved(project.id);
      onChanged();
      return undefined;
    }),
  ];
}

async function listVisible(
  db: Db,
  principal: Principal,
): Promise<{ readonly row: ProjectRow; readonly role: Role }[]> {
  if (principal.via === "key") {
    return [{ row: principal.project, role: principal.keyKind === "admin" ? "admin" : "viewer" }];
  }
  const rows = await listProjects(db);
  if (principal.via === "token" || principal.isOwner) return rows.map((row) => ({ row, role: "owner" }));
  const roles = await listRoles(db, principal.userId);
  return rows.flatMap((row) => {
    const role = roles.get(row.id);
    return role === undefined ? [] : [{ row, role }];
  });
}

function readZone(name: string): string {
  const zone = findZone(name);
  if (zone !== null) return zone;
  throw invalidBody([
    { pointer: "/timeZone", detail: "is no IANA time zone, like Europe/Berlin or Asia/Shanghai" },
  ]);
}

function projectStays({ isSample }: ProjectRow): AppError {
  return new AppError({
    status: 409,
    code: "project_stays",
    title: "This project cannot be removed",
    detail: isSample
      ? "Remove the sample with DELETE /api/sample."
      : "The default project is meant where none is named.",
  });
}
