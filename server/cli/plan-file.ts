import { readFileSync } from "node:fs";
import { type PlanDocument, planDocument } from "../contract/plan.ts";
import { AppError } from "../http/app-error.ts";
import { parse } from "../http/parse.ts";
import { CommandError } from "./api-client.ts";

/**
 * The plan in a file, checked; `-` is standard input.
 *
 * @throws CommandError with the file, each place in it and how to mend it
 */
export async function readPlanFile(
  file: string,
  stdin: AsyncIterable<Buffer | string>,
): Promise<PlanDocument> {
  const name = file === "-" ? "standard input" : file;
  return parsePlan(await readText(file, stdin), name);
}

async function readText(file: string, stdin: AsyncIterable<Buffer | string>): Promise<string> {
  if (file !== "-") {
    try {
      return readFileSync(file, "utf8");
    } catch {
      throw new CommandError(`${file} cannot be read. Is the path right?`);
    }
  }
  let text = "";
  for await (const chunk of stdin) text += String(chunk);
  return text;
}

/** @param name of where the text comes from, for messages */
export function parsePlan(text: string, name: string): PlanDocument {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch (error) {
    throw new CommandError(
      `${name} is no JSON${describePlace(error, text)}. A plan looks like {"timeZone": "Europe/Berlin", "chains": {"default": {…}}}; busyhour plan show prints the one in force.`,
    );
  }
  try {
    return parse(planDocument, value, "/");
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = (error.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer || "/"} ${detail}`);
    throw new CommandError(`${name} is no plan that can be published:${faults.join("")}`);
  }
}

/** Where the parser stumbled, for people: ` (line 3, column 7: Unexpected token …)`. */
function describePlace(error: unknown, text: string): string {
  const words = error instanceof Error ? error.message : String(error);
  const at = /position (\d+)/.exec(words)?.[1];
  const why = words.replace(/(?: in JSON)? at position .*$/s, "").replace(/, ".*$/s, "");
  if (at === undefined) return ` (${why})`;
  const before = text.slice(0, Number(at)).split("\n");
  return ` (line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${why})`;
}
