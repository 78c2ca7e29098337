import type { Request, Response } from "express";
import * as contract from "../contract/status-routes.ts";
import { AppError } from "../http/app-error.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { findZone } from "../time/zone.ts";
import { askedLanguage, askedRange } from "./asked.ts";
import { findAsset } from "./html/assets.ts";
import { renderNotFound } from "./html/not-found.ts";
import type { StatusPages } from "./pages.ts";
import type { Asked, JsonFile, Rendered } from "./render.ts";

/** What everybody may see of a page that is switched on. One that is not is answered like one that never was. */
export function publicStatusRoutes(pages: StatusPages): BoundRoute[] {
  return [assetRoute(), pageRoute(pages), ...jsonRoutes(pages), ...fileRoutes(pages)];
}

const KEPT_FOR_A_YEAR = "public, max-age=31536000, immutable";

function assetRoute(): BoundRoute {
  return bindRoute(contract.getStatusAsset, async ({ params, res }) => {
    const asset = findAsset(params.asset);
    if (asset === null) throw noSuchPage();
    allowOthers(res);
    res.set("Cache-Control", KEPT_FOR_A_YEAR).type(asset.type).send(asset.text);
    return undefined;
  });
}

function pageRoute(pages: StatusPages): BoundRoute {
  return bindRoute(contract.getStatusPage, async ({ params, query, req, res }) => {
    const language = askedLanguage(req, query.lang);
    const zone = query.zone === undefined ? null : findZone(query.zone);
    const found = await pages.read(params.slug, {
      kind: "page",
      language,
      zone,
      range: askedRange(query.range),
    });
    if (found === null) {
      res.vary("Accept-Language");
      res.status(404).type("html").send(renderNotFound(language));
    } else send(req, res, found, "text/html; charset=utf-8");
    return undefined;
  });
}

function jsonRoutes(pages: StatusPages): BoundRoute[] {
  const answer = async (file: JsonFile, call: PublicCall): Promise<void> =>
    answerFile(pages, call, { kind: "json", file }, "application/json; charset=utf-8");
  // The answers are sent as they were rendered; what the contract says of them a test holds.
  const bind = (route: Parameters<typeof bindRoute>[0], file: JsonFile): BoundRoute =>
    bindRoute(route, async (call) => {
      await answer(file, call as unknown as PublicCall);
      return undefined as never;
    });
  return [
    bind(contract.getSummaryJson, "summary.json"),
    bind(contract.getStatusJson, "status.json"),
    bind(contract.getComponentsJson, "components.json"),
    bind(contract.getIncidentsJson, "incidents.json"),
    bind(contract.getUnresolvedJson, "incidents/unresolved.json"),
    bind(contract.getMaintenancesJson, "scheduled-maintenances.json"),
    bind(contract.getUpcomingJson, "scheduled-maintenances/upcoming.json"),
    bind(contract.getActiveJson, "scheduled-maintenances/active.json"),
  ];
}

function fileRoutes(pages: StatusPages): BoundRoute[] {
  return [
    bindRoute(contract.getAtomFeed, async (call) => {
      await answerFile(pages, call, { kind: "atom" }, "application/atom+xml; charset=utf-8");
      return undefined;
    }),
    bindRoute(contract.getRssFeed, async (call) => {
      await answerFile(pages, call, { kind: "rss" }, "application/rss+xml; charset=utf-8");
      return undefined;
    }),
    bindRoute(contract.getBadge, async (call) => {
      const component = call.query.component ?? null;
      await answerFile(pages, call, { kind: "badge", component }, "image/svg+xml");
      return undefined;
    }),
  ];
}

interface PublicCall {
  readonly params: { readonly slug: string };
  readonly query: { readonly lang?: string | undefined };
  readonly req: Request;
  readonly res: Response;
}

type Without<T, Key extends PropertyKey> = T extends unknown ? Omit<T, Key> : never;

async function answerFile(
  pages: StatusPages,
  { params, query, req, res }: PublicCall,
  asked: Without<Asked, "language">,
  type: string,
): Promise<void> {
  const language = askedLanguage(req, query.lang);
  allowOthers(res);
  const found = await pages.read(params.slug, { ...asked, language } as Asked);
  if (found === null) throw noSuchPage();
  send(req, res, found, type);
}

/** Other sites may read it and show it: it is public. */
function allowOthers(res: Response): void {
  res.set("Access-Control-Allow-Origin", "*").set("Cross-Origin-Resource-Policy", "cross-origin");
}

function send(req: Request, res: Response, { etag, body, packed }: Rendered, type: string): void {
  res.set("ETag", etag).set("Cache-Control", "public, max-age=30").set("Content-Type", type);
  res.vary("Accept-Language").vary("Accept-Encoding");
  if (isKnown(req.headers["if-none-match"], etag)) {
    res.status(304).end();
    return;
  }
  if (req.acceptsEncodings("gzip") === "gzip")
    res.set("Content-Encoding", "gzip").end(req.method === "HEAD" ? undefined : packed());
  else res.end(req.method === "HEAD" ? undefined : body);
}

/** Whether the caller has it already. */
function isKnown(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false;
  const weak = (tag: string) => tag.trim().replace(/^W\//, "");
  return header.trim() === "*" || header.split(",").some((tag) => weak(tag) === weak(etag));
}

function noSuchPage(): AppError {
  return new AppError({ status: 404, code: "no_such_status_page", title: "There is no such page" });
}
