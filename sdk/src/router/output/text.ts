import { findText } from "./find-text.ts";
import type { OutputCheck } from "./output-check.ts";

/**
 * The answer's text, whatever client it came from.
 *
 * @param options.nonEmpty whether an answer without anything but white space is `bad_output`
 */
export function text<Output = unknown>(
  options: { readonly nonEmpty?: boolean } = {},
): OutputCheck<Output, string> {
  return (answer) => {
    const found = findText(answer);
    if (found === null) return { ok: false, why: "the answer holds no text" };
    if (options.nonEmpty === true && found.trim() === "")
      return { ok: false, why: "the answer's text is empty" };
    return { ok: true, value: found };
  };
}
