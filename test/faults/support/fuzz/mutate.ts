import fc from "fast-check";
import { oddJson } from "./odd.ts";

/** A change of a document at one place. */
interface Mutation {
  /** Which way to take at each level, as a share of what there is. */
  readonly way: readonly number[];
  readonly kind: "replace" | "remove" | "repeat" | "wrap";
  readonly value: unknown;
}

const aMutation: fc.Arbitrary<Mutation> = fc.record({
  way: fc.array(fc.double({ min: 0, max: 0.999, noNaN: true }), { minLength: 1, maxLength: 9 }),
  kind: fc.constantFrom("replace", "replace", "replace", "remove", "repeat", "wrap"),
  value: oddJson,
});

/** The document, changed at up to three places. */
export function mutated(make: () => unknown): fc.Arbitrary<unknown> {
  return fc.array(aMutation, { maxLength: 3 }).map((mutations) => mutations.reduce(apply, make()));
}

function apply(document: unknown, { way, kind, value }: Mutation): unknown {
  return change(document, way, (old) => {
    if (kind === "replace") return value;
    if (kind === "wrap") return [old];
    if (kind === "repeat") return Array.isArray(old) ? [...old, ...old] : old;
    return undefined;
  });
}

function change(node: unknown, way: readonly number[], edit: (old: unknown) => unknown): unknown {
  const [share = 0, ...rest] = way;
  if (way.length === 0 || typeof node !== "object" || node === null) return edit(node);
  const keys = Object.keys(node);
  const key = keys[Math.floor(share * keys.length)];
  if (key === undefined) return edit(node);
  const copy = (Array.isArray(node) ? [...node] : { ...node }) as Record<string, unknown>;
  copy[key] = change(copy[key], rest, edit);
  return copy;
}
