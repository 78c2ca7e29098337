import { inCharacters, type Measure } from "../cut.ts";
import { type Dialect, joinLines, readMarkdown, writeMarkdown } from "../markdown.ts";
import type { Message } from "../message.ts";

/** The lines of a message for chats, short: how bad and since when, why, what to do, what to know of the message. */
export function shortLines({ summary, cause, doNow, notes }: Message): string[] {
  return [summary, cause, doNow, ...notes].filter((line): line is string => line !== null && line !== "");
}

/** The markdown of what is no alert, in a dialect and cut to size. */
export function longText(
  markdown: string,
  dialect: Dialect,
  most: number,
  measure: Measure = inCharacters,
): string {
  return joinLines(writeMarkdown(readMarkdown(markdown), dialect), most, measure).trim();
}

/** Lines of at most `most` in all. */
export function fitLines(lines: readonly string[], most: number, measure: Measure = inCharacters): string {
  return joinLines(lines, most, measure, "\n");
}

/** Colours of the states, as people know them: 0xRRGGBB. */
export function colourOf({ event, severity }: Pick<Message, "event" | "severity">): number {
  if (event === "resolved" || event === "test") return 0x2e9e5b;
  return { critical: 0xd13438, warning: 0xe08600, info: 0x3478c6 }[severity];
}
