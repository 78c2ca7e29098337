import fc from "fast-check";
import { aTime, oddJson, oddNumber, oddText } from "./odd.ts";
import type { JsonSchema } from "./routes.ts";

/** Values that lead further than chance would: what is there, and what is a name of something. */
export interface Hints {
  readonly slugs: readonly string[];
  readonly ids: readonly number[];
  readonly names: readonly string[];
}

type Schemas = Readonly<Record<string, JsonSchema>>;
const MAX_DEPTH = 8;
const ZONES = ["UTC", "Europe/Berlin", "Asia/Kolkata", "Asia/Kathmandu", "asia/shanghai", "Mars/Olympus"];

/** Makes arbitraries of JSON Schemas; most values are what the schema says, some are odd at one place. */
export function createSchemaReader(schemas: Schemas, hints: Hints) {
  function read(schema: JsonSchema, name = "", depth = 0): fc.Arbitrary<unknown> {
    if (depth > MAX_DEPTH) return fc.constant(null);
    const valid = readValid(schema, name, depth);
    return fc.oneof({ weight: 24, arbitrary: valid }, { weight: 1, arbitrary: oddJson });
  }

  function readValid(schema: JsonSchema, name: string, depth: number): fc.Arbitrary<unknown> {
    const { $ref, anyOf, oneOf, allOf, enum: values, const: value } = schema;
    if (typeof $ref === "string") {
      const named = schemas[$ref.replace("#/components/schemas/", "")];
      return named === undefined ? oddJson : readValid(named, name, depth + 1);
    }
    const choices = (anyOf ?? oneOf) as JsonSchema[] | undefined;
    if (choices !== undefined) return fc.oneof(...choices.map((one) => readValid(one, name, depth + 1)));
    if (Array.isArray(allOf)) return readValid(Object.assign({}, ...allOf) as JsonSchema, name, depth + 1);
    if (Array.isArray(values)) return fc.constantFrom(...values);
    if (value !== undefined) return fc.constant(value);
    return readTyped(schema, name, depth);
  }

  function readTyped(schema: JsonSchema, name: string, depth: number): fc.Arbitrary<unknown> {
    switch (schema["type"]) {
      case "string":
        return readString(schema, name);
      case "integer":
      case "number":
        return readNumber(schema, name);
      case "boolean":
        return fc.boolean();
      case "null":
        return fc.constant(null);
      case "array":
        return fc.array(read((schema["items"] ?? {}) as JsonSchema, name, depth + 1), { maxLength: 4 });
      case "object":
        return readObject(schema, depth);
      default:
        return oddJson;
    }
  }

  function readObject(schema: JsonSchema, depth: number): fc.Arbitrary<unknown> {
    const properties = Object.entries((schema["properties"] ?? {}) as Record<string, JsonSchema>);
    const required = new Set((schema["required"] ?? []) as string[]);
    const known = fc.record(
      Object.fromEntries(properties.map(([key, inner]) => [key, read(inner, key, depth + 1)])),
      { requiredKeys: properties.map(([key]) => key).filter((key) => required.has(key)) },
    );
    const extra = schema["additionalProperties"];
    const isMap = typeof extra === "object" && extra !== null;
    const value = isMap ? read(extra as JsonSchema, "", depth + 1) : oddJson;
    const others = fc.dictionary(oddText, value, { maxKeys: isMap ? 4 : 1, noNullPrototype: true });
    return fc
      .tuple(known, fc.oneof({ weight: isMap ? 0 : 20, arbitrary: fc.constant({}) }, others))
      .map(([ours, theirs]) => ({ ...theirs, ...ours }));
  }

  function readString(schema: JsonSchema, name: string): fc.Arbitrary<string> {
    const max = Math.min(Number(schema["maxLength"] ?? 40), 60);
    const plain = fc.string({ minLength: Math.min(Number(schema["minLength"] ?? 0), 60), maxLength: max });
    return fc.oneof({ weight: 6, arbitrary: readNamed(schema, name) ?? plain }, plain, oddText);
  }

  function readNamed(schema: JsonSchema, name: string): fc.Arbitrary<string> | null {
    if (/^(?:from|to|asOf)$|At$/.test(name) || schema["format"] === "date-time") return aTime;
    if (/zone/i.test(name)) return fc.constantFrom(...ZONES);
    if (name === "project") return fc.constantFrom(...hints.slugs);
    // What is named to be made or removed is not where the callers live.
    if (/slug/i.test(name)) return fc.constantFrom("spare", "sample", "nowhere");
    if (typeof schema["pattern"] === "string") return readPattern(schema["pattern"]);
    return hints.names.length > 0 ? fc.constantFrom(...hints.names) : null;
  }

  function readNumber(schema: JsonSchema, name: string): fc.Arbitrary<number> {
    const min = Math.max(Number(schema["minimum"] ?? -1_000), -(2 ** 31));
    const max = Math.min(Number(schema["maximum"] ?? 1_000_000), 2 ** 31 - 1);
    const within = fc.integer({ min: Math.ceil(min), max: Math.floor(Math.max(min, max)) });
    // More ids come while it runs.
    const ids = /id$/i.test(name)
      ? fc.nat().map((place) => hints.ids[place % hints.ids.length] ?? 1)
      : within;
    return fc.oneof({ weight: 6, arbitrary: ids }, within, oddNumber);
  }

  return read;
}

/** Not every pattern can be read backwards; those come as any text. */
function readPattern(pattern: string): fc.Arbitrary<string> | null {
  // Classes of Unicode take seconds to be read backwards.
  if (/\\p\{/i.test(pattern)) return null;
  try {
    return fc.stringMatching(new RegExp(pattern, "u"), { maxLength: 60 });
  } catch {
    return null;
  }
}
