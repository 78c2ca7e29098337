import { randomUUID } from "node:crypto";
import express, { type Express, type RequestHandler } from "express";
import type { Logger } from "pino";
import type { Authenticator } from "../access/authenticate.ts";
import { PUBLIC_URL } from "../access/cookie.ts";
import type { IngestLimit } from "../access/ingest-limit.ts";
import { mayCall, type Principal, roleOf } from "../access/principal.ts";
import { toActor } from "../audit/note-change.ts";
import { MAX_FOREIGN_BODY_BYTES } from "../contract/attempt-event.ts";
import type { MemberRole, Role, RouteContract } from "../contract/route.ts";
import { ROUTES } from "../contract/routes.ts";
import { cleanFieldName, scrubText } from "../ingest/scrub.ts";
import type { ProjectRow } from "../projects/projects.ts";
import { AppError } from "./app-error.ts";
import { parseBody, readBody } from "./body.ts";
import { createBodyBudget } from "./body-budget.ts";
import { refuseOtherMethods } from "./methods.ts";
import { invalidQuery, parse } from "./parse.ts";
import { handleError } from "./problem.ts";
import type { BoundRoute, RouteCall } from "./route.ts";
import { assertNoOtherSite, assertSameSite } from "./same-site.ts";
import { securityHeaders } from "./security-headers.ts";
import { serveWeb } from "./web.ts";

export interface AppOptions {
  readonly routes: readonly BoundRoute[];
  /** The contracts to serve; each must have a handler. */
  readonly contracts: readonly RouteContract[];
  readonly authenticator: Authenticator;
  readonly findProject: (slug: string) => Promise<ProjectRow | null>;
  /** The same, if the person has a part in it; without a slug one that they have a part in. */
  readonly findProjectOf: (
    userId: number,
    slug: string | null,
  ) => Promise<{ readonly project: ProjectRow; readonly role: MemberRole } | null>;
  readonly ingestLimit: IngestLimit;
  readonly defaultProject: string;
  /** Folder of the built pages, or `null` to serve the API alone. */
  readonly webFolder: string | null;
  /** Where people reach the server, when it was said. */
  readonly publicUrl: string | undefined;
  /** Addresses and networks whose `X-Forwarded-…` is believed. */
  readonly trustedProxies: readonly string[];
  readonly now: () => number;
  readonly log: Logger;
}

/**
 * The HTTP application: every contract that it is to serve, walled and checked as it declares.
 *
 * @throws Error when a contract has no handler, or a handler no contract
 */
export function createApp(options: AppOptions): Express {
  assertComplete(options);
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.set(PUBLIC_URL, options.publicUrl);
  app.set("trust proxy", options.trustedProxies.length === 0 ? false : [...options.trustedProxies]);
  app.use(...securityHeaders({ isEncrypted: options.publicUrl?.startsWith("https:") === true }));
  app.use((_req, res, next) => {
    res.set("X-Request-Id", randomUUID());
    next();
  });
  const budget = createBodyBudget(MAX_BODIES_BYTES);
  for (const route of options.routes) {
    const { contract } = route;
    if (!options.contracts.includes(contract)) continue;
    app[contract.method](
      contract.path,
      prepare(route),
      admit(contract, options),
      ...readBody(contract, budget),
      answer(route, options),
    );
  }
  refuseOtherMethods(app, options.contracts);
  if (options.webFolder !== null) app.use(serveWeb(options.webFolder));
  app.use((req) => {
    throw new AppError({
      status: 404,
      code: "not_found",
      title: "There is nothing here",
      detail: `${req.method} ${scrubText(req.path)} is no route; see /openapi.json.`,
    });
  });
  app.use(handleError(options.log));
  return app;
}

/** Memory of all bodies that are read or worked on: eight of the largest kind. */
const MAX_BODIES_BYTES = 8 * MAX_FOREIGN_BODY_BYTES;

function assertComplete({ routes, contracts }: AppOptions): void {
  const name = ({ method, path }: RouteContract) => `${method} ${path}`;
  const bound = new Set(routes.map(({ contract }) => contract));
  const missing = contracts.filter((contract) => !bound.has(contract)).map(name);
  const undeclared = [...bound].filter((contract) => !ROUTES.includes(contract)).map(name);
  if (missing.length > 0) throw new Error(`routes without a handler: ${missing.join(", ")}`);
  if (undeclared.length > 0)
    throw new Error(`routes that are not declared in ROUTES: ${undeclared.join(", ")}`);
}

/** What holds of a route from the first moment on, whatever becomes of the request. */
function prepare({ sendError }: BoundRoute): RequestHandler {
  return (_req, res, next) => {
    res.locals["sendError"] = sendError;
    res.set("Cache-Control", "no-store");
    next();
  };
}

/** What `admit` found out, for `answer`. */
interface Admitted {
  readonly principal: Principal | null;
  readonly project: ProjectRow | null;
  readonly role: Role | null;
}

/** Who asks comes before what is asked: a stranger learns nothing from the faults of a query or a body. */
function admit(contract: RouteContract, options: AppOptions): RequestHandler {
  const { access, method } = contract;
  return async (req, res, next) => {
    if (access === "public") {
      if (method !== "get") assertNoOtherSite(req, options.publicUrl);
      res.locals["admitted"] = { principal: null, project: null, role: null } satisfies Admitted;
      next();
      return;
    }
    const principal = await options.authenticator.identify(req);
    if (principal === null) throw notSignedIn();
    if (principal.via === "session" && method !== "get") assertSameSite(req, options.publicUrl);
    // What a key may do does not hang on the project; what a person may do does.
    if (principal.via !== "session" && !mayCall(access, principal, null)) throw forbidden(access, principal);
    const slug = typeof req.query["project"] === "string" ? req.query["project"] : undefined;
    const place =
      access.of === "project"
        ? await resolveProject(principal, slug, options)
        : { project: null, role: null };
    if (!mayCall(access, principal, place.role)) throw forbidden(access, principal);
    if (access.scope === "events") options.ingestLimit.assertRoom(principal);
    res.locals["admitted"] = { principal, ...place } satisfies Admitted;
    next();
  };
}

function notSignedIn(): AppError {
  return new AppError({
    status: 401,
    code: "not_signed_in",
    title: "Sign in first",
    detail: "Send a key as Authorization: Bearer …, or open a sign-in link (busyhour sign-in).",
    headers: { "WWW-Authenticate": 'Bearer realm="busyhour"' },
  });
}

function forbidden(
  { keys, scope, role }: Exclude<RouteContract["access"], "public">,
  principal: Principal,
): AppError {
  const detail =
    principal.via === "session"
      ? role === null
        ? "This is for programs with a key."
        : `This takes the role ${role}.`
      : keys.length === 0
        ? "No key may do this."
        : `This takes a key of kind ${keys.join(" or ")}${scope === null ? "" : ` with the scope ${scope}`}.`;
  return new AppError({ status: 403, code: "forbidden", title: "Not allowed", detail });
}

/** Naming a project that the caller has no part in is the same as naming one that does not exist. */
async function resolveProject(
  principal: Principal,
  slug: string | undefined,
  options: AppOptions,
): Promise<{ project: ProjectRow; role: Role | null }> {
  const found = await findProjectFor(principal, slug, options);
  if (found !== null) return found;
  throw new AppError({ status: 404, code: "no_such_project", title: "There is no such project" });
}

async function findProjectFor(
  principal: Principal,
  slug: string | undefined,
  { findProject, findProjectOf, defaultProject }: AppOptions,
): Promise<{ project: ProjectRow; role: Role | null } | null> {
  if (principal.via === "key") {
    const { project } = principal;
    return slug === undefined || slug === project.slug ? { project, role: null } : null;
  }
  // PostgreSQL cannot hold a NUL, nor look for one.
  if (slug?.includes("\0")) return null;
  if (principal.via === "session" && !principal.isOwner) {
    const part = await findProjectOf(principal.userId, slug ?? null);
    return part === null ? null : { project: part.project, role: roleOf(principal, part.role) };
  }
  const project = await findProject(slug ?? defaultProject);
  return project === null ? null : { project, role: principal.via === "session" ? "owner" : null };
}

/**
 * A misspelled filter would give the numbers of everything: a parameter that the route does not have is a fault. Where
 * strangers come by links, to which others add parameters of their own, the contract says so by a loose object.
 */
function parseQuery({ query }: RouteContract, received: Record<string, unknown>): unknown {
  if (query === undefined) return undefined;
  const isLoose = query._zod.def.catchall?._zod.def.type === "unknown";
  const unknown = (isLoose ? [] : Object.keys(received)).filter((name) => !(name in query.shape));
  if (unknown.length > 0) {
    const names = Object.keys(query.shape).join(", ");
    throw invalidQuery(
      unknown.map((name) => ({
        pointer: `?${cleanFieldName(name)}`,
        detail: `is not known here; known are ${names}`,
      })),
    );
  }
  return parse(query, received, "?");
}

function answer({ contract, handle }: BoundRoute, options: AppOptions): RequestHandler {
  return async (req, res) => {
    const { principal, project, role } = res.locals["admitted"] as Admitted;
    const nowMs = options.now();
    const call = {
      principal,
      project,
      role,
      occasion: {
        actor: toActor(principal),
        at: new Date(nowMs),
        requestId: String(res.getHeader("X-Request-Id")),
      },
      query: parseQuery(contract, req.query),
      params: contract.params === undefined ? undefined : parse(contract.params, req.params, ":"),
      body: parseBody(contract, req.body),
      nowMs,
      req,
      res,
    };
    const result = await handle(call as unknown as RouteCall<RouteContract>);
    if (res.headersSent) return;
    res.status(contract.answer.status);
    if (contract.answer.schema === undefined) res.end();
    else res.json(result);
  };
}
