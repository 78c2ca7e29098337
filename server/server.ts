import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { migrate } from "../db/migrate.ts";
import { createAuthenticator } from "./access/authenticate.ts";
import { createIngestLimit } from "./access/ingest-limit.ts";
import { createKeptAnswers } from "./advice/kept/kept-answers.ts";
import { createDeliveries, type Deliveries } from "./channels/job.ts";
import type { Net } from "./channels/kinds/kind.ts";
import { createNet } from "./channels/net.ts";
import { getHealth, getReady, ROUTES } from "./contract/routes.ts";
import { type Core, createCore } from "./core.ts";
import type { SampleDeps } from "./demo/sample.ts";
import { createApp } from "./http/app.ts";
import { createHttpServer } from "./http/http-server.ts";
import { listen } from "./http/listen.ts";
import { type Scheduler, startJobs } from "./jobs/schedule.ts";
import { listJobs } from "./list-jobs.ts";
import { listRoutes } from "./list-routes.ts";
import { ALLOW_NOTHING } from "./outgoing/allow-list.ts";
import { findProjectOf } from "./people/members.ts";
import { listPublishedVersions } from "./plans/queries.ts";
import { createPlanWatch } from "./plans/watch.ts";
import { DEFAULT_PROJECT, findProject } from "./projects/projects.ts";
import { createQueue, type Queue } from "./queue/queue.ts";
import { runUpkeep } from "./retention/upkeep.ts";
import { createKeyring } from "./secrets/keyring.ts";
import type { ServerOptions, ServerParts } from "./server-parts.ts";

export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Where people reach it, without a slash at the end. */
  readonly publicUrl: string;
  /** Opens everything, for commands on this machine; made anew at each start. */
  readonly localToken: string;
  readonly core: Core;
  readonly queue: Queue;
  readonly sampleDeps: SampleDeps;
  /** Takes no new requests, finishes what is under way, closes the pools. The database stays open. */
  close(): Promise<void>;
}

/** Migrates the database and serves it. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { settings, database, now, log } = options;
  await migrate(database.target);
  let scheduler: Scheduler | null = null;
  const { rawRetentionDays } = settings;
  const core = createCore({
    target: database.target,
    rawRetentionDays,
    keyring: createKeyring({ setting: settings.secrets, dataDir: settings.dataDir }),
    outgoingAllow: settings.outgoingAllow ?? ALLOW_NOTHING,
    now,
    onStored: () => scheduler?.nudge("rollup"),
  });
  const sampleDeps: SampleDeps = {
    db: core.db,
    sql: core.jobSql,
    store: core.store,
    forgetProject: (id) => core.dictionary.forget(id),
    rawRetentionDays,
  };
  const localToken = randomBytes(32).toString("base64url");
  const kept = createKeptAnswers({ readSql: core.readSql, sql: core.jobSql });
  const net = createNet(
    settings.outgoingAllow ?? ALLOW_NOTHING,
    options.resolve === undefined ? {} : { resolve: options.resolve },
  );
  let publicUrl = settings.publicUrl ?? "";
  const deliveries = openDeliveries(options, core, net, () => publicUrl);
  const queue = createQueue({
    sql: core.queueSql,
    readSql: core.readSql,
    secrets: core.secrets,
    now,
    nudge: (job) => scheduler?.nudge(job),
    log: log.child({ part: "queue" }),
  });
  const planWatch = createPlanWatch({ listPublished: (ids) => listPublishedVersions(core.readSql, ids) });
  try {
    await runUpkeep(core.jobSql, now(), rawRetentionDays);
    await warnOfUnreadable(core, log);
    const listening = await serve(options, {
      core,
      sampleDeps,
      planWatch,
      kept,
      net,
      queue,
      localToken,
      nudge: (job) => scheduler?.nudge(job),
    });
    publicUrl = settings.publicUrl ?? listening.url;
    scheduler = settings.roles.includes("jobs")
      ? startJobs(core.jobSql, listJobs({ core, sampleDeps, kept, deliveries, net, queue }, options), {
          now,
          log,
        })
      : null;
    scheduler?.nudge("rollup");
    return {
      url: listening.url,
      publicUrl,
      localToken,
      core,
      queue,
      sampleDeps,
      async close() {
        planWatch.close();
        const quiet = queue.close();
        await closeHttp(listening.http);
        await scheduler?.stop();
        await deliveries.stop();
        await quiet;
        await core.close();
      },
    };
  } catch (error) {
    await core.close();
    throw error;
  }
}

/** How long the job waits for channels that are slow; they go on by themselves. */
const PATIENCE_MS = 2_500;
const pause = (ms: number) => () => new Promise<void>((resolve) => setTimeout(resolve, ms).unref());

function openDeliveries(
  { now, log }: ServerOptions,
  core: Core,
  net: Net,
  publicUrl: () => string,
): Deliveries {
  return createDeliveries({
    sql: core.jobSql,
    secrets: core.secrets,
    net,
    publicUrl,
    now,
    random: Math.random,
    patience: pause(PATIENCE_MS),
    breathe: pause(1_000),
    log: log.child({ job: "deliveries" }),
  });
}

/** Found out when a message is to be sent, it would be too late. */
async function warnOfUnreadable({ secrets }: Core, log: Logger): Promise<void> {
  const unreadable = await secrets.countUnreadable();
  if (unreadable > 0)
    log.warn(
      { unreadable },
      "secrets cannot be read: their key is neither in BUSYHOUR_SECRET nor in the key file",
    );
}

async function serve(options: ServerOptions, parts: ServerParts): Promise<{ http: Server; url: string }> {
  const { settings, webFolder, now, log } = options;
  const { core, localToken } = parts;
  const tokens = settings.adminToken === undefined ? [localToken] : [localToken, settings.adminToken];
  const authenticator = createAuthenticator({ db: core.db, tokens, now });
  const ingestLimit = createIngestLimit(now);
  const servesAll = settings.roles.includes("http");
  let url = "";
  const app = createApp({
    routes: listRoutes(options, parts, {
      authenticator,
      ingestLimit,
      publicUrl: () => settings.publicUrl ?? url,
    }),
    // A server that only runs jobs still says whether it is alive.
    contracts: servesAll ? ROUTES : [getHealth, getReady],
    authenticator,
    findProject: (slug) => findProject(core.db, slug),
    findProjectOf: (userId, slug) => findProjectOf(core.db, userId, slug),
    defaultProject: DEFAULT_PROJECT,
    ingestLimit,
    webFolder: servesAll ? webFolder : null,
    publicUrl: settings.publicUrl,
    trustedProxies: settings.trustedProxies ?? [],
    now,
    log,
  });
  const http = createHttpServer(app);
  await listen(http, settings);
  url = toUrl(http.address() as AddressInfo);
  const flushing = setInterval(() => {
    core.flushSources().catch(() => log.debug("source states could not be written"));
  }, 3_000);
  http.once("close", () => clearInterval(flushing));
  return { http, url };
}

function toUrl({ address, port, family }: AddressInfo): string {
  const host =
    address === "0.0.0.0" || address === "::" ? "localhost" : family === "IPv6" ? `[${address}]` : address;
  return `http://${host}:${port}`;
}

const CLOSE_WITHIN_MS = 8_000;

/** Requests that are under way may finish; a connection that only waits is closed at once. */
async function closeHttp(http: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  http.closeIdleConnections();
  const impatience = setTimeout(() => http.closeAllConnections(), CLOSE_WITHIN_MS);
  await closed;
  clearTimeout(impatience);
}
