import type { ReactNode } from "react";

/** A text with what stands between backticks as code. */
export function withCode(text: string): ReactNode[] {
  // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text have an order and no names
  return text.split("`").map((part, i) => (i % 2 === 1 ? <code key={i}>{part}</code> : part));
}
