import { readSettings } from "../env.ts";
import { createHttpSink } from "../import/http-sink.ts";
import type { ImportSink } from "../import/sink.ts";
import type { SinkChoice } from "./import.ts";
import { openWorkPlace } from "./open-server.ts";
import { readRunFile } from "./run-file.ts";
import type { Terminal } from "./terminal.ts";

/** Opens the way in for an import: over HTTP where a server runs, else straight into the data folder. */
export async function openImportSink(
  terminal: Terminal,
  { url, key, project, say, signal }: SinkChoice,
): Promise<ImportSink & { close(): Promise<void> }> {
  const settings = readSettings(terminal.environment);
  const place = await openWorkPlace({ settings, url, key, version: terminal.version, say, signal });
  try {
    const sink =
      place.own === null
        ? createHttpSink({
            url: place.api.url,
            key: place.token,
            // The local server makes a new token at each start, and leaves it where this one was found.
            ...(url === undefined && key === undefined
              ? { findNewKey: () => readRunFile(settings.dataDir)?.token ?? null }
              : {}),
            ...(project === undefined ? {} : { project }),
            say,
            signal,
          })
        : await place.own.openSink(project, {
            label: settings.databaseUrl === undefined ? settings.dataDir : "the database of DATABASE_URL",
            rawRetentionDays: settings.rawRetentionDays,
            say,
            signal,
          });
    return { ...sink, close: () => place.close() };
  } catch (error) {
    await place.close();
    throw error;
  }
}
