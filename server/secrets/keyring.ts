import { randomBytes } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { SettingsError } from "../env.ts";
import { deriveKey, type SecretKey } from "./seal.ts";

/** The keys that secrets are or were encrypted with. */
export interface Keyring {
  /** The key for what is encrypted from now on. Makes the key file when there is none yet. */
  current(): SecretKey;
  /** @returns `null` for a key that is not there, also not in the file as it is now */
  find(id: string): SecretKey | null;
  /**
   * Puts a new key in front, where the keys lie in a file of ours. Keys of the setting are put there by people.
   *
   * @param isUsed keys before the last one that are not are forgotten
   */
  renew(isUsed: (id: string) => boolean): void;
}

export const KEY_FILE = "secret.key";

/**
 * @param setting `BUSYHOUR_SECRET`: texts with commas between, the one for new secrets first
 * @param dataDir where the key file is, which is used without the setting
 */
export function createKeyring({
  setting,
  dataDir,
}: {
  readonly setting: readonly string[] | undefined;
  readonly dataDir: string | undefined;
}): Keyring {
  if (setting !== undefined) return createFixedRing(setting);
  if (dataDir !== undefined) return createFileRing(path.join(dataDir, KEY_FILE));
  // Nowhere to keep a key: it lives as long as this process, as does what it encrypts.
  return createFixedRing([newKeyText()]);
}

function createFixedRing(texts: readonly string[]): Keyring {
  const keys = texts.map(deriveKey);
  return {
    current: () => keys[0] as SecretKey,
    find: (id) => keys.find((key) => key.id === id) ?? null,
    renew() {},
  };
}

function createFileRing(file: string): Keyring {
  let texts: readonly string[] | null = null;
  let keys: readonly SecretKey[] = [];

  function take(read: readonly string[]): void {
    texts = read;
    keys = read.map(deriveKey);
  }

  function load(): void {
    take(readKeyFile(file) ?? makeKeyFile(file));
  }

  return {
    current() {
      if (texts === null) load();
      return keys[0] as SecretKey;
    },
    find(id) {
      const known = () => keys.find((key) => key.id === id) ?? null;
      const there = known() === null ? readKeyFile(file) : null;
      if (there !== null) take(there);
      return known();
    },
    renew(isUsed) {
      // The newest stays in any case: another process may be storing something with it just now.
      const older = (readKeyFile(file) ?? []).filter((text, i) => i === 0 || isUsed(deriveKey(text).id));
      const renewed = [newKeyText(), ...older];
      replaceKeyFile(file, renewed);
      take(renewed);
    },
  };
}

const newKeyText = () => randomBytes(32).toString("base64url");

/** @throws SettingsError when others can read it, or it holds something else */
function readKeyFile(file: string): string[] | null {
  let text: string;
  try {
    if (process.platform !== "win32" && (fs.statSync(file).mode & 0o077) !== 0)
      throw new SettingsError([`${file} can be read by others: chmod 600 ${file}`]);
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
  const lines = text.split("\n").filter((line) => line !== "");
  if (lines.length === 0 || lines.some((line) => !/^[\w-]{43}$/.test(line)))
    throw new SettingsError([
      `${file} holds no keys: bring it back from a backup, or remove it and enter channels and secrets anew`,
    ]);
  return lines;
}

/** Two processes may make it at once: the file of the first one counts. */
function makeKeyFile(file: string): string[] {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  const texts = [newKeyText()];
  const made = writeBeside(file, texts);
  try {
    fs.linkSync(made, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    fs.rmSync(made, { force: true });
  }
  return readKeyFile(file) ?? texts;
}

function replaceKeyFile(file: string, texts: readonly string[]): void {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.renameSync(writeBeside(file, texts), file);
}

/** On disk before it counts: a key that a power cut takes would take every secret along. */
function writeBeside(file: string, texts: readonly string[]): string {
  const beside = `${file}.${randomBytes(6).toString("hex")}`;
  const handle = fs.openSync(beside, "wx", 0o600);
  try {
    fs.writeSync(handle, `${texts.join("\n")}\n`);
    fs.fsyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return beside;
}
