import type { Sql } from "../../db/connect.ts";
import type { Db } from "../../db/drizzle.ts";
import * as contract from "../contract/alert-routes.ts";
import { readCursor } from "../http/cursor.ts";
import { readRange } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { acknowledgeAlert } from "./acknowledge.ts";
import type { EnqueueNotice } from "./job.ts";
import { getAlert, listAlerts } from "./listing.ts";
import { changeWindow, createWindow, listWindows, removeWindow } from "./maintenance-windows.ts";
import { createRuleReplayer } from "./replay.ts";
import { changeRule, createRule, listRules, removeRule, switchUsualOn } from "./rules.ts";
import { changeSilence, createSilence, endSilence, listSilences } from "./silences.ts";

export interface AlertDeps {
  readonly db: Db;
  /** Questions. */
  readonly readSql: Sql;
  /** Changes that channels are told of. */
  readonly jobSql: Sql;
  readonly enqueueNotice: EnqueueNotice;
  /** Rules or what mutes them changed: it is judged anew soon. */
  readonly onChanged: () => void;
}

export function alertRoutes(deps: AlertDeps): BoundRoute[] {
  return [...alertsRoutes(deps), ...rulesRoutes(deps), ...silencesRoutes(deps), ...maintenanceRoutes(deps)];
}

const HISTORY_MS = 14 * DAY_MS;

function alertsRoutes({ readSql, jobSql, enqueueNotice }: AlertDeps): BoundRoute[] {
  return [
    bindRoute(contract.getAlerts, async ({ project, query, nowMs }) => {
      const { provider, model, endpoint, source, chain, from, to, state, rule, limit } = query;
      const filter = { provider, model, endpoint, source, chain };
      const range = readRange({ from, to }, nowMs, HISTORY_MS);
      const before = readCursor(query.cursor, "integer");
      return listAlerts(readSql, { project, state, filter, rule, range, limit, before }, nowMs);
    }),
    bindRoute(contract.getAlert, async ({ project, params }) => ({
      alert: await getAlert(readSql, project, params.id),
    })),
    bindRoute(contract.postAcknowledgement, async ({ project, params, body, occasion }) => ({
      alert: await acknowledgeAlert(
        jobSql,
        enqueueNotice,
        project,
        { id: params.id, note: body.note },
        occasion,
      ),
    })),
  ];
}

function rulesRoutes({ db, readSql, onChanged }: AlertDeps): BoundRoute[] {
  const replayer = createRuleReplayer(readSql);
  return [
    bindRoute(contract.getRules, ({ project }) => listRules(db, project.id)),
    bindRoute(contract.postRules, async ({ project, body, occasion }) => {
      const rule = await createRule(db, project, body, occasion);
      onChanged();
      return rule;
    }),
    bindRoute(contract.postUsualRules, async ({ project, occasion }) => {
      const rules = await switchUsualOn(db, project, occasion);
      onChanged();
      return rules;
    }),
    bindRoute(contract.postRuleReplay, ({ project, body, nowMs }) =>
      replayer.replay(project, body.rule, nowMs),
    ),
    bindRoute(contract.putRule, async ({ project, params, body, occasion }) => {
      const rule = await changeRule(db, project, params.id, body, occasion);
      onChanged();
      return rule;
    }),
    bindRoute(contract.deleteRule, async ({ project, params, occasion }) => {
      await removeRule(db, project, params.id, occasion);
      onChanged();
      return undefined;
    }),
  ];
}

function silencesRoutes({ db, onChanged }: AlertDeps): BoundRoute[] {
  return [
    bindRoute(contract.getSilences, async ({ project, nowMs }) => ({
      silences: await listSilences(db, project.id, new Date(nowMs)),
    })),
    bindRoute(contract.postSilences, async ({ project, body, occasion }) => {
      const silence = await createSilence(db, project, body, occasion);
      onChanged();
      return silence;
    }),
    bindRoute(contract.patchSilence, async ({ project, params, body, occasion }) => {
      const silence = await changeSilence(db, project, params.id, body, occasion);
      onChanged();
      return silence;
    }),
    bindRoute(contract.deleteSilence, async ({ project, params, occasion }) => {
      await endSilence(db, project, params.id, occasion);
      onChanged();
      return undefined;
    }),
  ];
}

function maintenanceRoutes({ db, onChanged }: AlertDeps): BoundRoute[] {
  return [
    bindRoute(contract.getMaintenanceWindows, async ({ project, nowMs }) => ({
      windows: await listWindows(db, project.id, nowMs),
    })),
    bindRoute(contract.postMaintenanceWindows, async ({ project, body, occasion }) => {
      const window = await createWindow(db, project, body, occasion);
      onChanged();
      return window;
    }),
    bindRoute(contract.putMaintenanceWindow, async ({ project, params, body, occasion }) => {
      const window = await changeWindow(db, project, params.id, body, occasion);
      onChanged();
      return window;
    }),
    bindRoute(contract.deleteMaintenanceWindow, async ({ project, params, occasion }) => {
      await removeWindow(db, project, params.id, occasion);
      onChanged();
      return undefined;
    }),
  ];
}
