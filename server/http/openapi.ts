import { z } from "zod";
import type { RouteContract } from "../contract/route.ts";

type Json = Record<string, unknown>;

/** The OpenAPI 3.1 document of the contracts. */
export function toOpenApi(routes: readonly RouteContract[], version: string): Json {
  const components = collectComponents(routes);
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, "{$1}");
    paths[path] = { ...paths[path], [route.method]: toOperation(route) };
  }
  return {
    openapi: "3.1.0",
    info: {
      title: "Busyhour",
      version,
      description: "Records the outcome of every LLM API call and learns when each model is full.",
    },
    paths,
    components: {
      schemas: components,
      securitySchemes: {
        key: { type: "http", scheme: "bearer", description: "A key of the project, or the admin token." },
        session: { type: "apiKey", in: "cookie", name: "busyhour_session" },
      },
    },
  };
}

function toOperation(route: RouteContract): Json {
  const parameters = [...toParameters(route.params, "path"), ...toParameters(route.query, "query")];
  return {
    summary: route.summary,
    operationId: toOperationId(route),
    ...(route.access === "public" ? { security: [] } : { security: toSecurity(route.access) }),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(route.body === undefined ? {} : { requestBody: toRequestBody(route.body) }),
    responses: {
      [route.answer.status]: {
        description: route.answer.description,
        ...(route.answer.schema === undefined
          ? {}
          : { content: { "application/json": { schema: toSchema(route.answer.schema) } } }),
      },
      default: {
        description: "Problem details (RFC 9457).",
        content: { "application/problem+json": { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

function toOperationId({ method, path }: RouteContract): string {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== "" && word !== "api");
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function toSecurity(access: Exclude<RouteContract["access"], "public">): Json[] {
  return [
    ...(access.keys.length > 0 ? [{ key: [] }] : []),
    ...(access.role === null ? [] : [{ session: [] }]),
  ];
}

function toParameters(object: z.ZodObject | undefined, place: "path" | "query"): Json[] {
  if (object === undefined) return [];
  const schema = toSchema(object) as { properties?: Record<string, Json>; required?: string[] };
  return Object.entries(schema.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === "path",
    ...(description === undefined ? {} : { description }),
    schema: property,
  }));
}

function toRequestBody(body: NonNullable<RouteContract["body"]>): Json {
  const mediaTypes = body.kind === "raw" ? body.mediaTypes : ["application/json"];
  const schema = toSchema(body.schema);
  return {
    required: true,
    content: Object.fromEntries(
      mediaTypes.map((type) => [
        type,
        { schema: type === "application/json" ? schema : (OTHER_BODIES[type] ?? { type: "string" }) },
      ]),
    ),
  };
}

/** Bodies for which OpenAPI has no words: what they are is said in one sentence. */
const OTHER_BODIES: Readonly<Record<string, Json>> = {
  "application/x-ndjson": { type: "string", description: "One JSON document per line." },
  "application/x-protobuf": {
    type: "string",
    format: "binary",
    description: "An ExportTraceServiceRequest of opentelemetry-proto.",
  },
};

const REF_OPTIONS = {
  io: "input" as const,
  target: "draft-2020-12" as const,
  unrepresentable: "any" as const,
};

/** The JSON Schema of a contract's schema, with named ones as references to the components. */
function toSchema(schema: z.ZodType): unknown {
  const { $schema: _, $defs: __, ...json } = z.toJSONSchema(schema, REF_OPTIONS) as Json;
  const id = schema.meta()?.id;
  return typeof id === "string" ? { $ref: `#/components/schemas/${id}` } : pointToComponents(json);
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => {
      if (
        key === "id" &&
        typeof inner === "string" &&
        !("properties" in value && key in (value.properties as object))
      )
        return [];
      if (key === "$ref" && typeof inner === "string") {
        return [[key, inner.replace("#/$defs/", "#/components/schemas/")]];
      }
      return [[key, pointToComponents(inner)]];
    }),
  );
}

const PROBLEM = {
  type: "object",
  required: ["type", "title", "status", "code"],
  properties: {
    type: { type: "string" },
    title: { type: "string" },
    status: { type: "integer" },
    code: { type: "string", description: "Stable; see docs/errors.md." },
    detail: { type: "string" },
    errors: {
      type: "array",
      items: {
        type: "object",
        required: ["pointer", "detail"],
        properties: { pointer: { type: "string" }, detail: { type: "string" } },
      },
    },
    requestId: { type: "string" },
  },
};

function collectComponents(routes: readonly RouteContract[]): Json {
  const components: Json = { Problem: PROBLEM };
  for (const { body, answer } of routes) {
    for (const schema of [body?.schema, answer.schema]) {
      if (schema === undefined) continue;
      const {
        $schema: _,
        $defs = {},
        ...json
      } = z.toJSONSchema(schema, REF_OPTIONS) as Json & { $defs?: Json };
      for (const [id, inner] of Object.entries($defs)) components[id] = pointToComponents(inner);
      const id = schema.meta()?.id;
      // One that has a name stands among the definitions, and what is left is a reference to itself.
      if (typeof id === "string" && !("$ref" in json)) components[id] = pointToComponents(json);
    }
  }
  return components;
}
