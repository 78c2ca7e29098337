import { z } from "zod";
import * as access from "./access.ts";
import * as audit from "./audit.ts";
import { forAdmins, forAnyKey, forKeepers, forOwners } from "./callers.ts";
import * as query from "./query.ts";
import { defineRoute, type RouteContract } from "./route.ts";

export const idParam = z.object({ id: z.coerce.number().int().min(1).max(2_147_483_647) });

export const getMe = defineRoute({
  method: "get",
  path: "/api/me",
  summary: "Who is asking, and for which project.",
  access: forAnyKey,
  query: query.projectQuery,
  answer: { status: 200, description: "The caller.", schema: access.meAnswer },
});

export const getProjects = defineRoute({
  method: "get",
  path: "/api/projects",
  summary: "Projects that the caller may see.",
  access: { of: "person", keys: ["read", "admin"], scope: null, role: "viewer" },
  answer: { status: 200, description: "The projects.", schema: access.projectsAnswer },
});

export const postProjects = defineRoute({
  method: "post",
  path: "/api/projects",
  summary: "Make a project, with keys, people and data of its own.",
  access: forOwners,
  audit: ["project.created"],
  body: { kind: "json", schema: access.newProject },
  answer: { status: 201, description: "The project.", schema: access.projectRecord },
});

export const patchProject = defineRoute({
  method: "patch",
  path: "/api/project",
  summary: "Change a project's name or zone.",
  access: forAdmins,
  audit: ["project.changed"],
  query: query.projectQuery,
  body: { kind: "json", schema: access.projectChange },
  answer: { status: 200, description: "The project as it is now.", schema: access.projectRecord },
});

export const deleteProject = defineRoute({
  method: "delete",
  path: "/api/projects/:slug",
  summary: "Remove a project with all of its data and keys. The default project stays.",
  access: forOwners,
  audit: ["project.removed"],
  params: z.object({ slug: z.string().max(200) }),
  answer: { status: 204, description: "It is gone." },
});

export const getKeys = defineRoute({
  method: "get",
  path: "/api/keys",
  summary: "Keys of the project, revoked ones included.",
  access: forKeepers,
  query: query.projectQuery,
  answer: { status: 200, description: "The keys, without their secret.", schema: access.keysAnswer },
});

export const postKeys = defineRoute({
  method: "post",
  path: "/api/keys",
  summary: "Make a key. It is shown this once.",
  access: forKeepers,
  audit: ["key.created"],
  query: query.projectQuery,
  body: { kind: "json", schema: access.newKey },
  answer: { status: 201, description: "The key.", schema: access.createdKey },
});

export const patchKey = defineRoute({
  method: "patch",
  path: "/api/keys/:id",
  summary: "Change a key's name, or how many events are taken of it.",
  access: forKeepers,
  audit: ["key.changed"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: access.keyChange },
  answer: { status: 200, description: "The key as it is now.", schema: access.keyRecord },
});

export const postKeyRotations = defineRoute({
  method: "post",
  path: "/api/keys/:id/rotations",
  summary: "Make a key in the place of this one, which goes on working for a while.",
  access: forKeepers,
  audit: ["key.rotated"],
  params: idParam,
  query: query.projectQuery,
  body: { kind: "json", schema: access.keyRotation },
  answer: { status: 201, description: "The new key, shown this once.", schema: access.createdKey },
});

export const deleteKey = defineRoute({
  method: "delete",
  path: "/api/keys/:id",
  summary: "Revoke a key. It stops working at once.",
  access: forKeepers,
  audit: ["key.revoked"],
  params: idParam,
  query: query.projectQuery,
  answer: { status: 200, description: "The key as it is now.", schema: access.keyRecord },
});

export const getAudit = defineRoute({
  method: "get",
  path: "/api/audit",
  summary: "What was changed in the project, newest first: who, when, from what to what.",
  access: forKeepers,
  query: z.object({ ...query.project, ...query.auditFilter }),
  answer: { status: 200, description: "A page.", schema: audit.auditAnswer },
});

export const getInstallationAudit = defineRoute({
  method: "get",
  path: "/api/installation/audit",
  summary: "The same of everything: all projects, also those that are gone, and people.",
  access: forOwners,
  query: z.object(query.auditFilter),
  answer: { status: 200, description: "A page.", schema: audit.auditAnswer },
});

export const ACCESS_ROUTES: readonly RouteContract[] = [
  getMe,
  getProjects,
  postProjects,
  patchProject,
  deleteProject,
  getKeys,
  postKeys,
  patchKey,
  postKeyRotations,
  deleteKey,
  getAudit,
  getInstallationAudit,
];
