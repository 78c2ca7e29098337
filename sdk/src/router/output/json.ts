import { findText } from "./find-text.ts";
import type { OutputCheck } from "./output-check.ts";
import { formatIssues, type StandardSchema } from "./standard-schema.ts";
import { unwrapJson } from "./unwrap-json.ts";

/**
 * The answer as JSON that fits a schema of zod, valibot, arktype or any other Standard Schema: out of a Markdown fence or
 * out of prose where it stands in one. An answer that is parsed already is only validated.
 *
 * @throws {TypeError} for what is no Standard Schema
 */
export function json<Value, Output = unknown>(schema: StandardSchema<Value>): OutputCheck<Output, Value> {
  // Told here, before any target is asked for an answer that could not be checked.
  if (typeof schema?.["~standard"]?.validate !== "function")
    throw new TypeError("json: the schema must be a Standard Schema, as zod, valibot and arktype make them");
  return async (answer) => {
    const found = findText(answer);
    const unwrapped = found === null ? null : unwrapJson(found);
    if (unwrapped === null && typeof answer === "string") {
      return { ok: false, why: "the answer holds no JSON, or several that differ" };
    }
    const result = await schema["~standard"].validate(unwrapped === null ? answer : unwrapped.value);
    if (result.issues !== undefined) {
      return { ok: false, why: `the answer's JSON does not fit: ${formatIssues(result.issues)}` };
    }
    return { ok: true, value: result.value, path: unwrapped?.path ?? "bare" };
  };
}
