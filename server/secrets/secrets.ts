import type { ISql, Sql } from "../../db/connect.ts";
import type { Keyring } from "./keyring.ts";
import {
  countSecretsByKey,
  deleteSecret,
  findSecret,
  lockPayloadsOfOtherKeys,
  lockSecretsOfOtherKeys,
  type PayloadPlace,
  putSecret,
  replacePayload,
  replaceSealed,
  type SealedSecret,
  type SecretName,
} from "./queries.ts";
import { open, type SecretKey, seal } from "./seal.ts";

/** A secret that is stored and cannot be opened. The message says how to mend it and holds nothing of the secret. */
export class SecretError extends Error {
  readonly code: "secret_key_missing" | "secret_damaged";

  constructor({ code, message }: { code: SecretError["code"]; message: string }) {
    super(message);
    this.name = "SecretError";
    this.code = code;
  }
}

export interface Rotation {
  /** Encrypted anew. */
  readonly rotated: number;
  /** Left as they were: their key is not there, or they were changed. */
  readonly unreadable: number;
}

/** What must be read back, and so cannot be kept as a hash: encrypted at rest, with a key that no database holds. */
export interface Secrets {
  /** @param tx where the row that the secret belongs to is written, so that both come or none */
  put(name: SecretName, plain: string, tx?: ISql): Promise<void>;
  /** @returns `null` when there is none. @throws SecretError */
  find(name: SecretName): Promise<string | null>;
  /** Encrypts what is kept elsewhere than with the other secrets. @param place what it is bound to */
  seal(place: string, plain: string): { readonly keyId: string; readonly sealed: Buffer };
  /** @throws SecretError when its key is not there, or it was changed or moved */
  unseal(place: string, sealed: { readonly keyId: string; readonly sealed: Buffer }): string;
  /** Whether there was one. */
  remove(name: SecretName, tx?: ISql): Promise<boolean>;
  /** How many secrets are there whose key is not. */
  countUnreadable(): Promise<number>;
  /**
   * Encrypts all anew: with a new key where the keys lie in a file, else with the setting's first. Broken off at any
   * point it leaves every secret readable, and is gone on with by the next call. Calls meanwhile get the same answer.
   */
  rotate(): Promise<Rotation>;
}

const ROWS_PER_TRANSACTION = 100;

/** Any number will do, as long as every version of the program uses the same. */
const ROTATION_LOCK = 20261130;

export function createSecrets(sql: Sql, keyring: Keyring): Secrets {
  let rotating: Promise<Rotation> | null = null;
  return {
    async put(name, plain, tx = sql) {
      const key = keyring.current();
      await putSecret(tx, { ...name, keyId: key.id, sealed: seal(key, placeOf(name), plain) });
    },
    async find(name) {
      const row = await findSecret(sql, name);
      return row === null ? null : openRow(keyring, row);
    },
    seal(place, plain) {
      const key = keyring.current();
      return { keyId: key.id, sealed: seal(key, place, plain) };
    },
    unseal: (place, sealed) => openSealed(keyring, place, sealed),
    async remove(name, tx = sql) {
      return deleteSecret(tx, name);
    },
    async countUnreadable() {
      const counts = await countSecretsByKey(sql);
      return counts.reduce(
        (sum, { keyId, secrets }) => sum + (keyring.find(keyId) === null ? secrets : 0),
        0,
      );
    },
    rotate() {
      // Each would hold a connection while it waits for the lock, and the one that has it needs another.
      rotating ??= rotateLocked(sql, keyring).finally(() => {
        rotating = null;
      });
      return rotating;
    },
  };
}

/** One process at a time: two that add a key to one file could lose one. */
async function rotateLocked(sql: Sql, keyring: Keyring): Promise<Rotation> {
  const holder = await sql.reserve();
  try {
    await holder`select pg_advisory_lock(${ROTATION_LOCK})`;
    const used = new Set((await countSecretsByKey(sql)).map(({ keyId }) => keyId));
    keyring.renew((id) => used.has(id));
    const secrets = await reseal(sql, keyring);
    const payloads = await resealPayloads(sql, keyring);
    return {
      rotated: secrets.rotated + payloads.rotated,
      unreadable: secrets.unreadable + payloads.unreadable,
    };
  } finally {
    await holder`select pg_advisory_unlock(${ROTATION_LOCK})`.catch(() => {});
    holder.release();
  }
}

async function reseal(sql: Sql, keyring: Keyring): Promise<Rotation> {
  const key = keyring.current();
  let rotated = 0;
  let unreadable = 0;
  for (let afterId: number | null = 0; afterId !== null; ) {
    const from: number = afterId;
    afterId = await sql.begin(async (tx) => {
      const rows = await lockSecretsOfOtherKeys(tx, key.id, from, ROWS_PER_TRANSACTION);
      for (const row of rows) {
        const plain = tryOpen(keyring, row);
        if (plain === null) unreadable++;
        else {
          await replaceSealed(tx, row.id, key.id, seal(key, placeOf(row), plain));
          rotated++;
        }
      }
      return rows.length < ROWS_PER_TRANSACTION ? null : (rows.at(-1)?.id ?? null);
    });
  }
  return { rotated, unreadable };
}

/** The same of what submitters handed over with their jobs; there may be many. */
async function resealPayloads(sql: Sql, keyring: Keyring): Promise<Rotation> {
  const key = keyring.current();
  let rotated = 0;
  let unreadable = 0;
  for (let after: PayloadPlace | null = { projectId: 0, jobId: 0 }; after !== null; ) {
    const from: PayloadPlace = after;
    after = await sql.begin(async (tx) => {
      const rows = await lockPayloadsOfOtherKeys(tx, key.id, from, ROWS_PER_TRANSACTION);
      for (const row of rows) {
        const place = payloadPlace(row);
        const old = keyring.find(row.keyId);
        const plain = old === null ? null : open(old, place, row.sealed);
        if (plain === null) unreadable++;
        else {
          await replacePayload(tx, row, key.id, seal(key, place, plain));
          rotated++;
        }
      }
      return rows.length < ROWS_PER_TRANSACTION ? null : (rows.at(-1) ?? null);
    });
  }
  return { rotated, unreadable };
}

/** What a payload is bound to: it opens at no other job. */
export const payloadPlace = ({ projectId, jobId }: PayloadPlace) =>
  placeOf({ projectId, name: `job/${jobId}` });

/** What a secret is bound to: a row that is copied into another project or to another name does not open there. */
function placeOf({ projectId, name }: SecretName): string {
  return JSON.stringify([projectId, name]);
}

function openRow(keyring: Keyring, row: SealedSecret): string {
  return openSealed(keyring, placeOf(row), row, row.name);
}

function openSealed(
  keyring: Keyring,
  place: string,
  { keyId, sealed }: Pick<SealedSecret, "keyId" | "sealed">,
  name = place,
): string {
  const key = keyring.find(keyId);
  if (key === null)
    throw new SecretError({
      code: "secret_key_missing",
      message: `The secret ${name} was encrypted with the key ${keyId}, which is not here: put it back into BUSYHOUR_SECRET or the key file, or enter the secret anew.`,
    });
  const plain = open(key, place, sealed);
  if (plain !== null) return plain;
  throw new SecretError({
    code: "secret_damaged",
    message: `The secret ${name} is not what was stored: it was changed, or moved from another place. Enter it anew.`,
  });
}

function tryOpen(keyring: Keyring, row: SealedSecret): string | null {
  const key = keyring.find(row.keyId);
  return key === null ? null : openWith(key, row);
}

const openWith = (key: SecretKey, row: SealedSecret) => open(key, placeOf(row), row.sealed);
