import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createKeyring, KEY_FILE } from "./keyring.ts";

const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-keys-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
let folders = 0;
const aFolder = () => path.join(folder, String(++folders), "data");
const open = (dataDir: string) => createKeyring({ setting: undefined, dataDir });
const linesOf = (dataDir: string) => fs.readFileSync(path.join(dataDir, KEY_FILE), "utf8").trim().split("\n");

describe("a key file", () => {
  it("is made when a key is needed first, for its owner alone, and read by whoever comes later", () => {
    const dataDir = aFolder();
    const keyring = open(dataDir);
    expect(fs.existsSync(dataDir)).toBe(false);
    const key = keyring.current();
    expect(fs.statSync(path.join(dataDir, KEY_FILE)).mode & 0o777).toBe(0o600);
    expect(open(dataDir).current()).toEqual(key);
    expect(fs.readdirSync(dataDir)).toEqual([KEY_FILE]);
  });

  it("keeps the keys that are used and the one before, when it gets a new one", () => {
    const dataDir = aFolder();
    const keyring = open(dataDir);
    const first = keyring.current();
    keyring.renew(() => false);
    const second = keyring.current();
    expect(second.id).not.toBe(first.id);
    expect(keyring.find(first.id)).toEqual(first);
    keyring.renew((id) => id === first.id);
    expect(linesOf(dataDir)).toHaveLength(3);
    keyring.renew(() => false);
    expect(linesOf(dataDir)).toHaveLength(2);
    expect(keyring.find(first.id)).toBeNull();
    expect(fs.statSync(path.join(dataDir, KEY_FILE)).mode & 0o777).toBe(0o600);
  });

  it("is looked into again for a key that another process has added", () => {
    const dataDir = aFolder();
    const here = open(dataDir);
    const old = here.current();
    const there = open(dataDir);
    there.renew(() => true);
    expect(here.find(there.current().id)).toEqual(there.current());
    expect(here.find(old.id)).toEqual(old);
    expect(here.find("0".repeat(16))).toBeNull();
  });

  it("is refused when others can read it, or when it holds something else", () => {
    const dataDir = aFolder();
    open(dataDir).current();
    const file = path.join(dataDir, KEY_FILE);
    fs.chmodSync(file, 0o640);
    expect(() => open(dataDir).current()).toThrow(/chmod 600/);
    fs.chmodSync(file, 0o600);
    fs.writeFileSync(file, "");
    expect(() => open(dataDir).current()).toThrow(/holds no keys/);
  });
});

describe("the keys of the setting", () => {
  it("seal with the first and open with all of them", () => {
    const [a, b] = ["a".repeat(32), "b".repeat(32)];
    const old = createKeyring({ setting: [a], dataDir: aFolder() }).current();
    const dataDir = aFolder();
    const keyring = createKeyring({ setting: [b, a], dataDir });
    expect(keyring.current().id).not.toBe(old.id);
    expect(keyring.find(old.id)).toEqual(old);
    keyring.renew(() => true);
    expect(keyring.current()).toEqual(createKeyring({ setting: [b], dataDir }).current());
    expect(fs.existsSync(dataDir)).toBe(false);
  });
});
