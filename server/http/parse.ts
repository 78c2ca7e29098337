import type { z } from "zod";
import { AppError, type FieldFault } from "./app-error.ts";
import { describeIssue, valueAt } from "./describe-issue.ts";

/**
 * The value as its schema has it.
 *
 * @param where `?` for a query, `:` for path parameters, `/` for a body: how its faults are pointed at
 * @throws AppError 422 with every fault
 */
export function parse<T extends z.ZodType>(schema: T, value: unknown, where: "?" | ":" | "/"): z.output<T> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const errors = parsed.error.issues.map((issue): FieldFault => {
    const path = issue.path.map(String);
    const pointer = where === "/" ? path.map((part) => `/${part}`).join("") : `${where}${path.join(".")}`;
    return { pointer, detail: describeIssue(issue, valueAt(value, issue.path)) };
  });
  throw where === "/" ? invalidBody(errors) : invalidQuery(errors);
}

export function invalidQuery(errors: readonly FieldFault[]): AppError {
  return new AppError({ status: 422, code: "invalid_query", title: "The query has faults", errors });
}

export function invalidBody(errors: readonly FieldFault[]): AppError {
  return new AppError({ status: 422, code: "invalid_body", title: "The body has faults", errors });
}
