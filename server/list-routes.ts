import type { Authenticator } from "./access/authenticate.ts";
import type { IngestLimit } from "./access/ingest-limit.ts";
import { keyRoutes } from "./access/key-routes.ts";
import { accessRoutes } from "./access/routes.ts";
import { adviceRoutes } from "./advice/routes.ts";
import { alertRoutes } from "./alerts/routes.ts";
import { attemptRoutes } from "./attempts/routes.ts";
import { auditRoutes } from "./audit/routes.ts";
import { capacityRoutes } from "./capacity/routes.ts";
import { enqueueNotice } from "./channels/outbox.ts";
import { channelRoutes } from "./channels/routes.ts";
import { classificationRoutes } from "./classification/routes.ts";
import { sampleRoutes } from "./demo/routes.ts";
import { diagnosisRoutes } from "./diagnosis/routes.ts";
import { episodeRoutes } from "./episodes/routes.ts";
import { exportRoutes } from "./exports/routes.ts";
import type { BoundRoute } from "./http/route.ts";
import { operationRoutes } from "./http/routes.ts";
import { ingestRoutes } from "./ingest/routes.ts";
import { litellmRoutes } from "./litellm/routes.ts";
import { otlpRoutes } from "./otlp/routes.ts";
import { ALLOW_NOTHING } from "./outgoing/allow-list.ts";
import { peopleRoutes } from "./people/routes.ts";
import { planRoutes } from "./plans/routes.ts";
import { projectRoutes } from "./projects/routes.ts";
import { queueRoutes } from "./queue/routes.ts";
import { reportRoutes } from "./reports/routes.ts";
import { rollupRoutes } from "./rollup/routes.ts";
import { secretRoutes } from "./secrets/routes.ts";
import type { ServerOptions, ServerParts } from "./server-parts.ts";
import { signInRoutes } from "./sign-in/routes.ts";
import { createStatusPages } from "./status/pages.ts";
import { publicStatusRoutes } from "./status/public-routes.ts";
import { statusRoutes } from "./status/routes.ts";

/** Who gets in, and where from. */
export interface Gate {
  readonly authenticator: Authenticator;
  readonly ingestLimit: IngestLimit;
  readonly publicUrl: () => string;
}

/** Every contract with what fulfils it. */
export function listRoutes(
  { settings, version, now, log }: ServerOptions,
  { core, sampleDeps, planWatch, kept, net, nudge, queue }: ServerParts,
  { authenticator, ingestLimit: limit, publicUrl }: Gate,
): BoundRoute[] {
  const { db, ingest, jobSql, readSql, classifiers } = core;
  const nudgeRollup = () => nudge("rollup");
  const forgetKeys = () => authenticator.forgetKeys();
  const statusPages = createStatusPages({ sql: readSql, db, now, publicUrl });
  const forgetProject = (id: number) => {
    core.dictionary.forget(id);
    classifiers.forget(id);
    queue.lanes.forget(id);
    statusPages.forget(id);
  };
  return [
    ...ingestRoutes({ ingest, limit, rawRetentionDays: settings.rawRetentionDays }),
    ...otlpRoutes({ ingest, limit, sql: jobSql, onRemoved: nudgeRollup }),
    ...litellmRoutes({ ingest, limit }),
    ...capacityRoutes({ sql: readSql }),
    ...adviceRoutes({ sql: core.readSql, kept }),
    ...episodeRoutes({ sql: core.readSql }),
    ...queueRoutes({ queue, readSql }),
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
