import fc from "fast-check";
import { aBody, type FuzzedBody } from "./bodies.ts";
import { createSchemaReader, type Hints } from "./from-schema.ts";
import { oddText } from "./odd.ts";
import type { FuzzApi, FuzzRoute } from "./routes.ts";
import type { Caller } from "./world.ts";

export interface FuzzedRequest {
  readonly route: FuzzRoute;
  readonly method: string;
  readonly target: string;
  readonly caller: Caller;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | null;
}

/** Makes eight weeks of data or removes them: who may do it does it elsewhere; strangers try it here. */
const isCostly = ({ method, path }: FuzzRoute) => path === "/api/sample" && method !== "GET";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "PROPFIND", "TRACE"];

/** Requests over all routes, by all callers; most are right but for one or two places. */
export function aRequest(
  api: FuzzApi,
  callers: readonly Caller[],
  hints: Hints,
): fc.Arbitrary<FuzzedRequest> {
  const read = createSchemaReader(api.schemas, hints);
  const known = api.routes.map((route) => {
    const allowed = isCostly(route) ? callers.filter(({ sees }) => sees !== "both") : callers;
    return fc
      .record({
        caller: fc.constantFrom(...allowed),
        target: aTarget(route, read),
        method: fc.oneof(
          { weight: 30, arbitrary: fc.constant(route.method) },
          fc.constantFrom(...METHODS.filter((method) => !isCostly(route) || method !== "POST")),
        ),
        headers: someHeaders,
        body: route.bodies.length === 0 ? rarely(aBody(route, read)) : mostly(aBody(route, read)),
      })
      .map((parts) => toRequest(route, parts));
  });
  return fc.oneof(...known.map((arbitrary) => ({ weight: 20, arbitrary })), {
    weight: 20,
    arbitrary: aStray(callers),
  });
}

function toRequest(
  route: FuzzRoute,
  parts: {
    caller: Caller;
    target: string;
    method: string;
    headers: Record<string, string>;
    body: FuzzedBody | null;
  },
): FuzzedRequest {
  const { caller, target, method, headers, body } = parts;
  // A method that was swapped can lead to a route that is costly, or that many requests would make slow.
  const isSafe = caller.sees !== "both" || !/^\/api\/sample/.test(route.path) || method === "GET";
  return {
    route,
    method: isSafe ? method : "GET",
    target,
    caller,
    headers: { ...headers, ...body?.headers },
    body: body?.bytes ?? null,
  };
}

const mostly = (body: fc.Arbitrary<FuzzedBody>) => fc.option(body, { freq: 15, nil: null });
const rarely = (body: fc.Arbitrary<FuzzedBody>) =>
  fc.oneof({ weight: 15, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: body });

/** A path that is no route, or not quite. */
function aStray(callers: readonly Caller[]): fc.Arbitrary<FuzzedRequest> {
  const place = fc.oneof(
    fc.webPath(),
    oddText.map((text) => `/${encodeURIComponent(toWellFormed(text))}`),
    fc.constantFrom("/api", "/v1/", "/%ff", "/%", "/..%2f..%2fserver.json", "/assets/../../package.json"),
    fc.constantFrom(
      "/assets/%2e%2e/%2e%2e/package.json",
      "//evil.example/",
      "/index.html%00.js",
      "/.git/config",
    ),
  );
  return fc
    .record({ caller: fc.constantFrom(...callers), target: place, method: fc.constantFrom(...METHODS) })
    .map(({ caller, target, method }) => ({
      route: { method, path: "(stray)", parameters: [], bodies: [] },
      method,
      target: isSendable(target) ? target : "/stray",
      caller,
      headers: {},
      body: null,
    }));
}

/** A client of Node sends a path of visible bytes only; others come over raw sockets. */
const isSendable = (target: string) => /^\/[\x21-\x7e]*$/.test(target);

const someHeaders = fc
  .oneof(
    { weight: 20, arbitrary: fc.constant({}) },
    fc.dictionary(
      fc.constantFrom(
        "accept",
        "accept-encoding",
        "accept-language",
        "cookie",
        "if-none-match",
        "if-modified-since",
        "range",
        "origin",
        "referer",
        "x-forwarded-for",
        "x-forwarded-host",
        "x-forwarded-proto",
        "x-http-method-override",
        "x-request-id",
        "forwarded",
        "sec-fetch-site",
        "user-agent",
      ),
      fc.oneof(
        fc.string({ maxLength: 60 }),
        fc.constantFrom(
          "https",
          "127.0.0.1",
          "*",
          "bytes=0-,-1",
          "a".repeat(4_000),
          "busyhour_session=x; =; ;;",
        ),
      ),
      { maxKeys: 3, noNullPrototype: true },
    ),
  )
  .map((headers) =>
    Object.fromEntries(Object.entries(headers).filter(([, value]) => /^[\x20-\x7e]*$/.test(value))),
  );

function aTarget(route: FuzzRoute, read: ReturnType<typeof createSchemaReader>): fc.Arbitrary<string> {
  const inPath = route.parameters.filter((parameter) => parameter.in === "path");
  const inQuery = route.parameters.filter((parameter) => parameter.in === "query");
  const values = (parameters: typeof inPath) =>
    fc.record(
      Object.fromEntries(
        parameters.map(({ name, schema }) => [
          name,
          fc.oneof({ weight: 12, arbitrary: read(schema, name) }, { weight: 1, arbitrary: oddText }),
        ]),
      ),
    );
  const chosen = fc
    .tuple(values(inQuery), fc.subarray(inQuery.map(({ name }) => name)))
    .map(([all, names]) =>
      names.map((name): [string, unknown] => [name, (all as Record<string, unknown>)[name]]),
    );
  return fc
    .record({
      path: values(inPath),
      query: chosen,
      extra: fc.oneof(
        { weight: 20, arbitrary: fc.constant("") },
        fc.constantFrom(
          "a=%ff",
          "%",
          "from=1&from=2",
          "project[]=x",
          "project[a][b]=c",
          "__proto__=x",
          "&&&=",
          "=x",
        ),
        oddText.map((text) => `x=${encodeURIComponent(toWellFormed(text))}`),
      ),
    })
    .map(({ path, query, extra }) => {
      const place = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
        encodeValue((path as Record<string, unknown>)[name]),
      );
      const pairs = query.map(([name, value]) => `${name}=${encodeValue(value)}`);
      if (extra !== "") pairs.push(extra);
      return pairs.length === 0 ? place : `${place}?${pairs.join("&")}`;
    });
}

function encodeValue(value: unknown): string {
  const text = typeof value === "object" ? JSON.stringify(value) : String(value);
  return encodeURIComponent(toWellFormed(text)).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16)}`,
  );
}

/** `encodeURIComponent` takes no half of a surrogate pair. */
const toWellFormed = (text: string) => text.toWellFormed();
