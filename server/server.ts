import { randomBytes } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Logger } from "pino";
import { migrate } from "../db/migrate.ts";
import type { OpenedDatabase } from "../db/open-database.ts";
import { type Authenticator, createAuthenticator } from "./access/authenticate.ts";
import { createIngestLimit, type IngestLimit } from "./access/ingest-limit.ts";
import { keyRoutes } from "./access/key-routes.ts";
import { accessRoutes } from "./access/routes.ts";
import { createKeptAnswers, type KeptAnswers } from "./advice/kept/kept-answers.ts";
import { adviceRoutes } from "./advice/routes.ts";
import { createExplain } from "./alerts/explain.ts";
import { createAlertJob } from "./alerts/job.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { runUsual } from "./alerts/usual-job.ts";
import { attemptRoutes } from "./attempts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { runProfiles } from "./capacity/profile-job.ts";
import { capacityRoutes } from "./capacity/routes.ts";
import { createDeliveries, type Deliveries } from "./channels/job.ts";
import type { Net } from "./channels/kinds/kind.ts";
import { createNet } from "./channels/net.ts";
import { enqueueNotice } from "./channels/outbox.ts";
import { channelRoutes } from "./channels/routes.ts";
import { classificationRoutes } from "./classification/routes.ts";
import { getHealth, getReady, ROUTES } from "./contract/routes.ts";
import { type Core, createCore } from "./core.ts";
import { sampleRoutes } from "./demo/routes.ts";
import { createTrickle, type SampleDeps } from "./demo/sample.ts";
import { diagnosisRoutes } from "./diagnosis/routes.ts";
import type { Settings } from "./env.ts";
import { createEpisodeJobs } from "./episodes/job.ts";
import { episodeRoutes } from "./episodes/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import { createApp } from "./http/app.ts";
import { createHttpServer } from "./http/http-server.ts";
import { listen } from "./http/listen.ts";
import type { BoundRoute } from "./http/route.ts";
import { operationRoutes } from "./http/routes.ts";
import { ingestRoutes } from "./ingest/routes.ts";
import { type Job, type Scheduler, startJobs } from "./jobs/schedule.ts";
import { litellmRoutes } from "./litellm/routes.ts";
import { otlpRoutes } from "./otlp/routes.ts";
import { ALLOW_NOTHING } from "./outgoing/allow-list.ts";
import type { Resolve } from "./outgoing/host-lookup.ts";
import { findProjectOf } from "./people/members.ts";
import { peopleRoutes } from "./people/routes.ts";
import { listPublishedVersions } from "./plans/queries.ts";
import { planRoutes } from "./plans/routes.ts";
import { createPlanWatch, type PlanWatch } from "./plans/watch.ts";
import { DEFAULT_PROJECT, findProject } from "./projects/projects.ts";
import { projectRoutes } from "./projects/routes.ts";
import { runReports } from "./reports/job.ts";
import { reportRoutes } from "./reports/routes.ts";
import { runUpkeep } from "./retention/upkeep.ts";
import { runRollup } from "./rollup/job.ts";
import { rollupRoutes } from "./rollup/routes.ts";
import { createKeyring } from "./secrets/keyring.ts";
import { secretRoutes } from "./secrets/routes.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { createStatusPages } from "./status/pages.ts";
import { publicStatusRoutes } from "./status/public-routes.ts";
import { statusRoutes } from "./status/routes.ts";

export interface ServerOptions {
  readonly settings: Pick<Settings, "port" | "host" | "adminToken" | "roles" | "rawRetentionDays"> &
    Partial<
      Pick<Settings, "dataDir" | "secrets" | "publicUrl" | "trustedProxies" | "outgoingAllow" | "oidc">
    >;
  readonly database: OpenedDatabase;
  readonly version: string;
  readonly webFolder: string | null;
  /** How hosts of channels are looked up; the system's own when left out. */
  readonly resolve?: Resolve;
  readonly now: () => number;
  readonly log: Logger;
}

export interface RunningServer {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  /** Where people reach it, without a slash at the end. */
  readonly publicUrl: string;
  /** Opens everything, for commands on this machine; made anew at each start. */
  readonly localToken: string;
  readonly core: Core;
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
      localToken,
      nudge: (job) => scheduler?.nudge(job),
    });
    publicUrl = settings.publicUrl ?? listening.url;
    scheduler = settings.roles.includes("jobs")
      ? startJobs(core.jobSql, listJobs({ core, sampleDeps, kept, deliveries }, options), { now, log })
      : null;
    scheduler?.nudge("rollup");
    return {
      url: listening.url,
      publicUrl,
      localToken,
      core,
      sampleDeps,
      async close() {
        planWatch.close();
        await closeHttp(listening.http);
        await scheduler?.stop();
        await deliveries.stop();
        await core.close();
      },
    };
  } catch (error) {
    await core.close();
    throw error;
  }
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

interface JobParts extends Pick<ServeParts, "core" | "sampleDeps" | "kept"> {
  readonly deliveries: Deliveries;
}

function listJobs(
  { core, sampleDeps, kept, deliveries }: JobParts,
  { settings, now, log }: ServerOptions,
): Job[] {
  const { jobSql } = core;
  const { rawRetentionDays } = settings;
  const episodes = createEpisodeJobs(jobSql);
  const alerts = createAlertJob({
    sql: jobSql,
    enqueueNotice,
    explain: createExplain({ sql: core.readSql, kept, log: log.child({ job: "alerts" }) }),
  });
  const trickle = createTrickle(sampleDeps, now());
  return [
    { name: "rollup", cron: "*/10 * * * * *", everyMs: 10_000, run: (nowMs) => runRollup(jobSql, nowMs) },
    // Looks every minute, works once an hour, and when late events changed an hour that it had counted.
    { name: "profiles", cron: "5 * * * * *", everyMs: 60_000, run: (nowMs) => runProfiles(jobSql, nowMs) },
    // After the profiles, on whose version its answers stand.
    { name: "advice", cron: "20 * * * * *", everyMs: 60_000, run: (nowMs) => kept.refresh(nowMs) },
    { name: "episodes", cron: "35 * * * * *", everyMs: 60_000, run: (nowMs) => episodes.runLive(nowMs) },
    { name: "alerts", cron: "13,43 * * * * *", everyMs: 30_000, run: (nowMs) => alerts.run(nowMs) },
    // Looks every minute, works once an hour, and when rules changed.
    { name: "usual", cron: "8 * * * * *", everyMs: 60_000, run: (nowMs) => runUsual(jobSql, nowMs) },
    // Works after the first midnight UTC that it has not seen, and when calls of a day turned up that it had seen.
    {
      name: "episodes in hindsight",
      cron: "50 */5 * * * *",
      everyMs: 300_000,
      run: (nowMs) => episodes.runNightly(nowMs),
    },
    {
      name: "upkeep",
      cron: "20 7 * * * *",
      everyMs: 3_600_000,
      run: (nowMs) => runUpkeep(jobSql, nowMs, rawRetentionDays),
    },
    // Looks every ten minutes, works once a week for each project.
    {
      name: "reports",
      cron: "40 */10 * * * *",
      everyMs: 600_000,
      run: (nowMs) => runReports(jobSql, enqueueNotice, nowMs),
    },
    { name: "deliveries", cron: "*/3 * * * * *", everyMs: 3_000, run: (nowMs) => deliveries.run(nowMs) },
    { name: "trickle", cron: "*/10 * * * * *", everyMs: 10_000, run: (nowMs) => trickle(nowMs) },
  ];
}

interface ServeParts {
  readonly core: Core;
  readonly sampleDeps: SampleDeps;
  readonly planWatch: PlanWatch;
  readonly kept: KeptAnswers;
  readonly net: Net;
  readonly localToken: string;
  readonly nudge: (job: string) => void;
}

async function serve(options: ServerOptions, parts: ServeParts): Promise<{ http: Server; url: string }> {
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

interface Gate {
  readonly authenticator: Authenticator;
  readonly ingestLimit: IngestLimit;
  readonly publicUrl: () => string;
}

function listRoutes(
  { settings, version, now, log }: ServerOptions,
  { core, sampleDeps, planWatch, kept, net, nudge }: ServeParts,
  { authenticator, ingestLimit: limit, publicUrl }: Gate,
): BoundRoute[] {
  const { db, ingest, jobSql, readSql, classifiers } = core;
  const nudgeRollup = () => nudge("rollup");
  const forgetKeys = () => authenticator.forgetKeys();
  const statusPages = createStatusPages({ sql: readSql, db, now, publicUrl });
  const forgetProject = (id: number) => {
    core.dictionary.forget(id);
    classifiers.forget(id);
    statusPages.forget(id);
  };
  return [
    ...ingestRoutes({ ingest, limit, rawRetentionDays: settings.rawRetentionDays }),
    ...otlpRoutes({ ingest, limit, sql: jobSql, onRemoved: nudgeRollup }),
    ...litellmRoutes({ ingest, limit }),
    ...capacityRoutes({ sql: readSql }),
    ...adviceRoutes({ sql: core.readSql, kept }),
    ...episodeRoutes({ sql: core.readSql }),
    ...planRoutes({ db, sql: readSql, watch: planWatch }),
    ...channelRoutes({
      sql: jobSql,
      secrets: core.secrets,
      allow: settings.outgoingAllow ?? ALLOW_NOTHING,
      net,
      lookUp: net.lookUp,
      publicUrl,
      now,
      log,
      onChanged: () => nudge("deliveries"),
    }),
    ...diagnosisRoutes({ sql: core.readSql }),
    ...alertRoutes({ db, readSql, jobSql, enqueueNotice, onChanged: () => nudge("alerts") }),
    ...reportRoutes({ sql: core.readSql }),
    ...exportRoutes({ db, kept }),
    ...attemptRoutes({ sql: readSql }),
    ...accessRoutes({ db }),
    ...keyRoutes({ db, onKeysChanged: forgetKeys }),
    ...peopleRoutes({ db, publicUrl }),
    ...signInRoutes({
      db,
      identify: (req) => authenticator.identify(req),
      oidc: settings.oidc ?? null,
      publicUrl: settings.publicUrl ?? null,
      now,
      log,
    }),
    ...auditRoutes({ sql: readSql }),
    ...projectRoutes({ db, sql: jobSql, onChanged: forgetKeys, onRemoved: forgetProject }),
    ...sampleRoutes({ ...sampleDeps, onChanged: forgetKeys }),
    ...rollupRoutes({ sql: jobSql, onQueued: nudgeRollup }),
    ...classificationRoutes({ sql: jobSql, classifiers, onReclassified: nudgeRollup }),
    ...publicStatusRoutes(statusPages),
    ...statusRoutes({ db, sql: readSql, pages: statusPages, publicUrl }),
    ...secretRoutes({ secrets: core.secrets, sql: jobSql }),
    ...operationRoutes({ sql: readSql, version }),
  ];
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
