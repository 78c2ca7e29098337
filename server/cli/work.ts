import type { Command } from "commander";
import { readSettings } from "../env.ts";
import { openWorkPlace, type WorkPlace } from "./open-server.ts";
import type { Terminal } from "./terminal.ts";

/** Flags of every command that needs data. */
export interface ServerFlags {
  readonly url?: string;
  readonly key?: string;
  readonly project?: string;
}

export function withServerFlags(command: Command): Command {
  return command
    .option("--url <url>", "a server elsewhere; else the one that runs here, else the data folder itself")
    .option("--key <key>", "an admin key for it")
    .option("--project <slug>", "the project; the default one when left out");
}

/**
 * Runs work at the right place and closes it afterwards.
 *
 * @param work gets the query string that names the project
 */
export async function withWorkPlace<T>(
  terminal: Terminal,
  { url, key, project }: ServerFlags,
  work: (place: WorkPlace, query: string) => Promise<T>,
): Promise<T> {
  const settings = readSettings(terminal.environment);
  const place = await openWorkPlace({ settings, url, key, version: terminal.version, say: terminal.say });
  try {
    return await work(place, project === undefined ? "" : `?project=${encodeURIComponent(project)}`);
  } finally {
    await place.close();
  }
}
