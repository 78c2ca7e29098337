import pino from "pino";
import { runProfiles } from "../capacity/profile-job.ts";
import type { Settings } from "../env.ts";
import { createDataSink, type DataSinkOptions } from "../import/data-sink.ts";
import type { ImportSink } from "../import/sink.ts";
import { DEFAULT_PROJECT, findProject } from "../projects/projects.ts";
import { runRollup } from "../rollup/job.ts";
import { startServer } from "../server.ts";
import { CommandError } from "./api-client.ts";
import { openData } from "./open-data.ts";

/** A server without clocks on a free port of the loopback, started for one command alone. */
export interface OwnServer {
  readonly url: string;
  readonly token: string;
  /** Does what its clocks would do of what was stored. @returns minutes whose rollups were made */
  addUp(): Promise<number>;
  /** The way in of a project, the default one when left out. @throws CommandError when there is none of this name */
  openSink(slug: string | undefined, options: SinkOptions): Promise<ImportSink>;
  close(): Promise<void>;
}

export type SinkOptions = Pick<DataSinkOptions, "label" | "rawRetentionDays" | "say" | "signal">;

export interface OwnServerOptions {
  readonly settings: Settings;
  readonly version: string;
  readonly say: (line: string) => void;
  readonly signal?: AbortSignal;
}

/** @throws DatabaseError */
export async function startOwnServer({
  settings,
  version,
  say,
  signal,
}: OwnServerOptions): Promise<OwnServer> {
  const database = await openData(settings, say, signal);
  try {
    const server = await startServer({
      settings: { ...settings, port: 0, host: "127.0.0.1", roles: ["http"] },
      database,
      version,
      webFolder: null,
      now: Date.now,
      log: pino({ level: "silent" }),
    });
    const { core } = server;
    const addUp = async () => {
      const { minutes } = await runRollup(core.jobSql, Date.now());
      await runProfiles(core.jobSql, Date.now());
      return minutes;
    };
    return {
      url: server.url,
      token: server.localToken,
      addUp,
      async openSink(slug = DEFAULT_PROJECT, sinkOptions) {
        const project = await findProject(core.db, slug);
        if (project === null) throw new CommandError(`There is no project “${slug}”.`);
        return createDataSink({
          ...sinkOptions,
          store: (events) => core.ingest(project.id, { format: "ndjson", events, note: null }),
          async addUp() {
            await addUp();
          },
        });
      },
      async close() {
        await server.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
