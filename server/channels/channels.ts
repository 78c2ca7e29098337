import type { Sql } from "../../db/connect.ts";
import { diff, noteChangeSql, type Occasion } from "../audit/note-change.ts";
import type { ChannelChange, NewChannel } from "../contract/channel.ts";
import { AppError } from "../http/app-error.ts";
import type { ProjectRow } from "../projects/projects.ts";
import type { Secrets } from "../secrets/secrets.ts";
import { type AddressDeps, readAddress, readChannel } from "./channel-input.ts";
import { type ChannelSecrets, findChannelSecrets, secretOf } from "./config.ts";
import { kindOf } from "./kinds/kinds.ts";
import { makeWebhookSecret } from "./kinds/webhook.ts";
import { makeDue } from "./outbox-queries.ts";
import {
  type ChannelKey,
  type ChannelParts,
  type ChannelRow,
  deleteChannel,
  findChannel,
  insertChannel,
  listChannels,
  lockChannel,
  updateChannel,
} from "./queries.ts";

export interface ChannelDeps extends AddressDeps {
  readonly sql: Sql;
  readonly secrets: Secrets;
}

const HOUR_MS = 3_600_000;

export function noSuchChannel(): AppError {
  return new AppError({ status: 404, code: "no_such_channel", title: "There is no such channel" });
}

/** @throws AppError 404 */
export async function getChannel(sql: Sql, key: ChannelKey): Promise<ChannelRow> {
  const row = await findChannel(sql, key);
  if (row === null) throw noSuchChannel();
  return row;
}

/**
 * Adds a channel, with its secrets in the same transaction.
 *
 * @returns `signingSecret` when one was made, which is not to be read again
 * @throws AppError 422 for an address or fields that its kind cannot use, 409 when its name is taken
 */
export async function addChannel(
  deps: ChannelDeps,
  project: ProjectRow,
  body: NewChannel,
  occasion: Occasion,
): Promise<{ readonly id: number; readonly signingSecret: string | null }> {
  const told = await readAddress(deps, body.address, body.kind);
  const { kind } = told;
  const made = kind.kind === "webhook" && body.signingSecret === undefined ? makeWebhookSecret() : null;
  const { secrets, settings } = readChannel(told, {
    ...body,
    signingSecret: made ?? body.signingSecret,
  });
  const work = deps.sql.begin(async (tx) => {
    const names = (await listChannels(tx, project.id)).map(({ name }) => name);
    const parts: ChannelParts = {
      name: body.name ?? chooseName(kind.label, names),
      kind: kind.kind,
      locale: body.locale,
      leastSeverity: body.leastSeverity,
      isEnabled: body.isEnabled,
      settings,
    };
    const id = await insertChannel(tx, project.id, parts, occasion.at.getTime());
    await deps.secrets.put(secretOf(project.id, id), JSON.stringify(secrets), tx);
    await noteChangeSql(tx, occasion, {
      action: "channel.created",
      project,
      subject: { id, name: parts.name },
      after: toAudit(parts),
    });
    return { id, signingSecret: made };
  });
  return work.catch(tellNameTaken);
}

function chooseName(label: string, names: readonly string[]): string {
  let name = label;
  for (let i = 2; names.includes(name); i++) name = `${label} ${i}`;
  return name;
}

const UNIQUE_VIOLATION = "23505";

function tellNameTaken(error: unknown): never {
  if ((error as { code?: unknown }).code !== UNIQUE_VIOLATION) throw error;
  throw new AppError({
    status: 409,
    code: "channel_name_taken",
    title: "Another channel of the project has this name",
    errors: [{ pointer: "/name", detail: "is another channel's" }],
  });
}

/** What the audit log tells of a channel: no secret. */
function toAudit({ name, kind, locale, leastSeverity, isEnabled, settings }: ChannelParts) {
  const { mask, isSigned, hasAuthorization, keyword, to, from } = settings;
  return {
    name,
    kind,
    locale,
    leastSeverity,
    isEnabled,
    address: mask,
    isSigned,
    hasAuthorization,
    keyword,
    to,
    from,
  };
}

/**
 * Changes a channel. What waits for it, or failed since it stopped to work, is tried at once: whatever was wrong may be
 * mended.
 *
 * @throws AppError 404, 409, 422
 */
export async function changeChannel(
  deps: ChannelDeps,
  project: ProjectRow,
  id: number,
  body: ChannelChange,
  occasion: Occasion,
): Promise<void> {
  const key = { projectId: project.id, channelId: id };
  const old = await getChannel(deps.sql, key);
  const kind = kindOf(old.kind);
  const stored = await findReadableSecrets(deps, key);
  if (stored === null && body.address === undefined)
    throw new AppError({
      status: 409,
      code: "channel_secret_lost",
      title: "The channel's address cannot be decrypted",
      detail: "Enter the address anew, together with what else is secret of the channel",
    });
  const address =
    body.address === undefined
      ? (stored?.address ?? "")
      : (await readAddress(deps, body.address, old.kind)).address;
  const { secrets, settings } = readChannel(
    { kind, address },
    {
      signingSecret: body.signingSecret === undefined ? stored?.signing : body.signingSecret,
      authorization: body.authorization === undefined ? stored?.authorization : body.authorization,
      keyword: body.keyword === undefined ? old.settings.keyword : body.keyword,
      to: body.to ?? old.settings.to,
      from: body.from ?? old.settings.from ?? undefined,
    },
  );
  const isSameSecret = secrets.signing === (stored?.signing ?? null);
  const work = deps.sql.begin(async (tx) => {
    if ((await lockChannel(tx, key)) === null) throw noSuchChannel();
    const parts = {
      kind: old.kind,
      name: body.name ?? old.name,
      locale: body.locale ?? old.locale,
      leastSeverity: body.leastSeverity ?? old.leastSeverity,
      isEnabled: body.isEnabled ?? old.isEnabled,
      settings,
    };
    await updateChannel(tx, key, parts);
    const before = isSameSecret ? (stored?.before ?? null) : null;
    await deps.secrets.put(secretOf(project.id, id), JSON.stringify({ ...secrets, before }), tx);
    await makeDue(tx, key, old.failingSince, occasion.at.getTime());
    const changes = diff(toAudit(old), toAudit(parts));
    await noteChangeSql(tx, occasion, {
      action: "channel.changed",
      project,
      subject: { id, name: parts.name },
      ...changes,
    });
  });
  await work.catch(tellNameTaken);
}

/** @returns `null` also when they cannot be opened: then they are to be entered anew */
async function findReadableSecrets(
  { secrets }: ChannelDeps,
  { projectId, channelId }: ChannelKey,
): Promise<ChannelSecrets | null> {
  return findChannelSecrets(secrets, projectId, channelId).catch(() => null);
}

/**
 * Makes a new signing secret for a webhook; until `bothUntil` the old one signs, too.
 *
 * @throws AppError 404, or 409 for a kind whose secret the receiver makes
 */
export async function rotateChannel(
  deps: ChannelDeps,
  project: ProjectRow,
  { id, overlapHours }: { readonly id: number; readonly overlapHours: number },
  occasion: Occasion,
): Promise<{ readonly signingSecret: string; readonly bothUntil: string }> {
  const key = { projectId: project.id, channelId: id };
  const row = await getChannel(deps.sql, key);
  const stored = await findReadableSecrets(deps, key);
  if (row.kind !== "webhook" || stored === null)
    throw new AppError({
      status: 409,
      code: "channel_not_signed",
      title: "Only a webhook's secret is made here",
      detail: `${kindOf(row.kind).label} makes its own secret: enter it by changing the channel`,
    });
  const untilMs = occasion.at.getTime() + overlapHours * HOUR_MS;
  const signing = makeWebhookSecret();
  const before = stored.signing === null || overlapHours === 0 ? null : { secret: stored.signing, untilMs };
  await deps.sql.begin(async (tx) => {
    if ((await lockChannel(tx, key)) === null) throw noSuchChannel();
    const settings = { ...row.settings, isSigned: true };
    await updateChannel(tx, key, { ...row, settings });
    await deps.secrets.put(secretOf(project.id, id), JSON.stringify({ ...stored, signing, before }), tx);
    await noteChangeSql(tx, occasion, {
      action: "channel.rotated",
      project,
      subject: { id, name: row.name },
      after: { overlapHours },
    });
  });
  return { signingSecret: signing, bothUntil: new Date(untilMs).toISOString() };
}

/** @throws AppError 404 */
export async function removeChannel(
  { sql, secrets }: ChannelDeps,
  project: ProjectRow,
  id: number,
  occasion: Occasion,
): Promise<void> {
  const key = { projectId: project.id, channelId: id };
  await sql.begin(async (tx) => {
    const row = await lockChannel(tx, key);
    if (row === null) throw noSuchChannel();
    await deleteChannel(tx, key);
    await secrets.remove(secretOf(project.id, id), tx);
    await noteChangeSql(tx, occasion, {
      action: "channel.removed",
      project,
      subject: { id, name: row.name },
      before: toAudit(row),
    });
  });
}
