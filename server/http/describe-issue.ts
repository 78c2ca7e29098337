import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "an array",
  object: "an object",
};

/**
 * What is wrong with a value, in words that say what it must be, without repeating what was sent.
 *
 * @param value what stood at the issue's place; `undefined` when nothing did
 */
export function describeIssue(issue: Issue, value: unknown): string {
  switch (issue.code) {
    case "invalid_type":
      return value === undefined ? "is missing" : `must be ${TYPES[issue.expected] ?? issue.expected}`;
    case "invalid_value":
      return `must be one of ${issue.values.join(", ")}`;
    case "too_small":
      if (issue.origin === "string")
        return issue.minimum === 1 ? "is empty" : `is shorter than ${issue.minimum} characters`;
      return `must be at least ${issue.minimum}`;
    case "too_big":
      if (issue.origin === "string") return `is longer than ${issue.maximum} characters`;
      return `must be at most ${issue.maximum}`;
    case "invalid_format":
      return issue.message.startsWith("must") ? issue.message : `must be ${issue.format}`;
    default:
      return issue.message;
  }
}

/** The value at a path of a document, `undefined` where the path leads nowhere. */
export function valueAt(document: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, part) =>
      typeof value === "object" && value !== null ? (value as Record<PropertyKey, unknown>)[part] : undefined,
    document,
  );
}
