import { type ApiClient, CommandError, createApiClient } from "./api-client.ts";
import type { OwnServer, OwnServerOptions } from "./own-server.ts";
import { findRunningServer } from "./run-file.ts";

/** Where a command works: at a server that runs, or on the data itself. */
export interface WorkPlace {
  readonly api: ApiClient;
  readonly token: string;
  /** The server that was started for this command alone; `null` when one was running. */
  readonly own: OwnServer | null;
  close(): Promise<void>;
}

export interface WorkPlaceOptions extends OwnServerOptions {
  /** A server elsewhere. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
}

/**
 * The server of `url`; else the one that runs on the data folder; else the data itself, opened through a server
 * without clocks on a free port of the loopback, so that each command has one way of working.
 *
 * @throws CommandError, DatabaseError
 */
export async function openWorkPlace(options: WorkPlaceOptions): Promise<WorkPlace> {
  const { settings, url, key } = options;
  if (url !== undefined) {
    const token = key ?? settings.adminToken;
    if (token === undefined)
      throw new CommandError("--url needs a key: give --key, or set BUSYHOUR_ADMIN_TOKEN.");
    if (!/^https?:\/\//.test(url) || !URL.canParse(url)) {
      throw new CommandError(`--url ${url} is no address: it looks like http://127.0.0.1:8420.`);
    }
    return { api: createApiClient(url.replace(/\/+$/, ""), token), token, own: null, close: async () => {} };
  }
  const running = await findRunningServer(settings.dataDir);
  if (running !== null) {
    const token = key ?? running.token;
    return { api: createApiClient(running.url, token), token, own: null, close: async () => {} };
  }
  return openOwnServer(options);
}

async function openOwnServer({ key, ...options }: WorkPlaceOptions): Promise<WorkPlace> {
  // A server takes longer to load than most commands take.
  const { startOwnServer } = await import("./own-server.ts");
  const own = await startOwnServer(options);
  const token = key ?? own.token;
  return { api: createApiClient(own.url, token), token, own, close: () => own.close() };
}
