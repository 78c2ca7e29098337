export type JsonSchema = { readonly [key: string]: unknown };

export interface FuzzParameter {
  readonly name: string;
  readonly in: "path" | "query";
  readonly schema: JsonSchema;
}

export interface FuzzBody {
  readonly type: string;
  readonly schema: JsonSchema;
}

/** A route as the running server itself describes it. */
export interface FuzzRoute {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly parameters: readonly FuzzParameter[];
  readonly bodies: readonly FuzzBody[];
}

export interface FuzzApi {
  readonly routes: readonly FuzzRoute[];
  readonly schemas: Readonly<Record<string, JsonSchema>>;
}

interface Operation {
  readonly parameters?: readonly FuzzParameter[];
  readonly requestBody?: { readonly content: Record<string, { readonly schema: JsonSchema }> };
}

/** The routes of a server's /openapi.json: what is added to it is fuzzed without a word here. */
export async function readApi(url: string): Promise<FuzzApi> {
  const document = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, JsonSchema> };
  };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => ({
      method: method.toUpperCase(),
      path,
      parameters,
      bodies: Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => ({ type, schema })),
    })),
  );
  return { routes, schemas: document.components.schemas };
}
