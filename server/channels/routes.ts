import type { ChannelRecord } from "../contract/channel.ts";
import * as contract from "../contract/channel-routes.ts";
import type { Locale } from "../contract/diagnosis.ts";
import { cutPage, readCursor } from "../http/cursor.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { AttemptDeps } from "./attempt.ts";
import { readAddress } from "./channel-input.ts";
import {
  addChannel,
  type ChannelDeps,
  changeChannel,
  getChannel,
  noSuchChannel,
  removeChannel,
  rotateChannel,
} from "./channels.ts";
import { listDeliveries } from "./outbox-queries.ts";
import { type ChannelRow, listChannels } from "./queries.ts";
import { sendTest } from "./send-test.ts";
import { channelWordsOf } from "./words/words.ts";

export interface ChannelRouteDeps extends ChannelDeps, AttemptDeps {
  /** Something may be due. */
  readonly onChanged: () => void;
}

export function channelRoutes(deps: ChannelRouteDeps): BoundRoute[] {
  const { sql, onChanged } = deps;

  async function getRecord(projectId: number, id: number, locale: Locale): Promise<ChannelRecord> {
    const row = (await listChannels(sql, projectId)).find((one) => one.id === id);
    if (row === undefined) throw noSuchChannel();
    return toRecord(row, locale);
  }

  return [
    bindRoute(contract.getChannels, async ({ project, query }) => ({
      channels: (await listChannels(sql, project.id)).map((row) => toRecord(row, query.locale)),
    })),
    bindRoute(contract.postChannels, async ({ project, body, occasion }) => {
      const { id, signingSecret } = await addChannel(deps, project, body, occasion);
      return { ...(await getRecord(project.id, id, "en")), signingSecret };
    }),
    bindRoute(contract.postChannelKinds, async ({ body }) => {
      const { kind, address } = await readAddress(deps, body.address);
      return {
        kind: kind.kind,
        address: kind.mask(address),
        needs: [...kind.needs],
        takes: [...kind.takes],
      };
    }),
    bindRoute(contract.patchChannel, async ({ project, params, body, occasion }) => {
      await changeChannel(deps, project, params.id, body, occasion);
      onChanged();
      return getRecord(project.id, params.id, "en");
    }),
    bindRoute(contract.deleteChannel, async ({ project, params, occasion }) => {
      await removeChannel(deps, project, params.id, occasion);
      return undefined;
    }),
    bindRoute(contract.postChannelTests, async ({ project, params, query }) => {
      const answer = await sendTest(deps, { projectId: project.id, channelId: params.id }, query.locale);
      onChanged();
      return answer;
    }),
    bindRoute(contract.postChannelRotations, ({ project, params, body, occasion }) =>
      rotateChannel(deps, project, { id: params.id, overlapHours: body.overlapHours }, occasion),
    ),
    bindRoute(contract.getDeliveries, async ({ project, params, query }) => {
      const key = { projectId: project.id, channelId: params.id };
      await getChannel(sql, key);
      const rows = await listDeliveries(sql, key, {
        before: readCursor(query.cursor, "bigint"),
        limit: query.limit + 1,
      });
      const { page, next } = cutPage(rows, query.limit);
      const { hints } = channelWordsOf(query.locale);
      return {
        deliveries: page.map((row) => ({
          id: row.id,
          at: row.at.toISOString(),
          notification: row.notificationId,
          title: row.title,
          try: row.tryNumber,
          outcome: row.outcome,
          requestBytes: row.requestBytes,
          durationMs: row.durationMs,
          status: row.status,
          answer: row.answer,
          code: row.code,
          hint: row.code === null ? null : hints[row.code],
          nextTryAt: row.nextTryAt?.toISOString() ?? null,
        })),
        next,
      };
    }),
  ];
}

function toRecord(row: ChannelRow & { readonly waiting: number }, locale: Locale): ChannelRecord {
  const { settings, lastFailure } = row;
  const iso = (date: Date | null) => date?.toISOString() ?? null;
  const state = () => {
    if (row.brokenSince !== null) return "broken";
    if (row.failingSince !== null) return "failing";
    return row.lastOkAt === null ? "unused" : "ok";
  };
  return {
    id: row.id,
    name: row.name,
    kind: row.kind,
    locale: row.locale,
    leastSeverity: row.leastSeverity,
    isEnabled: row.isEnabled,
    address: settings.mask,
    isSigned: settings.isSigned,
    hasAuthorization: settings.hasAuthorization,
    keyword: settings.keyword,
    to: [...settings.to],
    from: settings.from,
    state: state(),
    waiting: row.waiting,
    pausedUntil: iso(row.pausedUntil),
    lastOkAt: iso(row.lastOkAt),
    failingSince: iso(row.failingSince),
    brokenSince: iso(row.brokenSince),
    lastFailure:
      lastFailure === null ? null : { code: lastFailure, hint: channelWordsOf(locale).hints[lastFailure] },
    createdAt: row.createdAt.toISOString(),
  };
}
