import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createKeyring, type Keyring } from "../../server/secrets/keyring.ts";
import { createSecrets } from "../../server/secrets/secrets.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;
await sql`insert into project (slug, name) values ('other', 'Other')`;
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-secrets-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));
const URL_OF_1 = { projectId: 1, name: "channel/1/url" };
const OF_ALL = { projectId: null, name: "oidc/client-secret" };

let folders = 0;
const aKeyring = () => createKeyring({ setting: undefined, dataDir: path.join(folder, String(++folders)) });
/** Of a database without any. */
async function fresh(keyring: Keyring = aKeyring()) {
  await sql`delete from secret`;
  return { keyring, secrets: createSecrets(sql, keyring) };
}
const keyIds = async () =>
  (await sql<{ id: string }[]>`select distinct key_id as id from secret`).map(({ id }) => id);

describe("a secret", () => {
  it("is read back as it was stored, replaced and removed; one of the installation has no project", async () => {
    const { secrets } = await fresh();
    expect(await secrets.find(URL_OF_1)).toBeNull();
    await secrets.put(URL_OF_1, "https://hooks.example.com/zqxplant");
    await secrets.put(OF_ALL, "geheim");
    await secrets.put(URL_OF_1, "https://hooks.example.com/second");
    await secrets.put(OF_ALL, "noch geheimer ☂");
    expect(await secrets.find(URL_OF_1)).toBe("https://hooks.example.com/second");
    expect(await secrets.find(OF_ALL)).toBe("noch geheimer ☂");
    expect(await secrets.find({ ...URL_OF_1, projectId: 2 })).toBeNull();
    expect(await sql`select count(*)::int as n from secret`).toEqual([{ n: 2 }]);
    expect([await secrets.remove(OF_ALL), await secrets.remove(OF_ALL)]).toEqual([true, false]);
  });

  it("lies in the database as nothing that can be read", async () => {
    const { secrets, keyring } = await fresh();
    await secrets.put(URL_OF_1, "https://hooks.example.com/zqxplant");
    const [row] = await sql<{ text: string; sealed: Buffer }[]>`select s::text as text, sealed from secret s`;
    expect(row?.sealed.includes("zqxplant")).toBe(false);
    expect(row?.text).not.toContain("zqxplant");
    expect(row?.text).not.toContain(Buffer.from("zqxplant").toString("hex"));
    expect(row?.text).not.toContain(keyring.current().bytes.toString("hex"));
  });

  it("comes with the row that it belongs to, or not at all", async () => {
    const { secrets } = await fresh();
    await expect(
      sql.begin(async (tx) => {
        await secrets.put(URL_OF_1, "x", tx);
        throw new Error("the channel could not be stored");
      }),
    ).rejects.toThrow("the channel");
    expect(await secrets.find(URL_OF_1)).toBeNull();
  });

  it("goes with its project", async () => {
    const { secrets } = await fresh();
    await sql`insert into project (slug, name) values ('short-lived', 'x')`;
    const [project] = await sql<{ id: number }[]>`select id from project where slug = 'short-lived'`;
    const name = { projectId: project?.id ?? 0, name: "channel/1/url" };
    await secrets.put(name, "x");
    await sql`delete from project where slug = 'short-lived'`;
    expect(await secrets.find(name)).toBeNull();
  });

  it("does not open when its row was copied to another project, renamed or changed", async () => {
    const { secrets } = await fresh();
    await secrets.put(URL_OF_1, "https://hooks.example.com/theirs");
    await sql`insert into secret (project_id, name, key_id, sealed) select 2, name, key_id, sealed from secret`;
    await sql`insert into secret (project_id, name, key_id, sealed) select 1, 'channel/2/url', key_id, sealed from secret where project_id = 1`;
    await expect(secrets.find({ ...URL_OF_1, projectId: 2 })).rejects.toMatchObject({
      code: "secret_damaged",
    });
    await expect(secrets.find({ projectId: 1, name: "channel/2/url" })).rejects.toMatchObject({
      code: "secret_damaged",
    });
    await sql`update secret set sealed = set_byte(sealed, 14, get_byte(sealed, 14) # 1) where project_id = 1 and name = ${URL_OF_1.name}`;
    await expect(secrets.find(URL_OF_1)).rejects.toMatchObject({ code: "secret_damaged" });
  });

  it("says which key is missing, and is counted", async () => {
    const { secrets, keyring } = await fresh();
    await secrets.put(URL_OF_1, "x");
    const elsewhere = createSecrets(sql, aKeyring());
    const failure = await elsewhere.find(URL_OF_1).catch((error: Error) => error);
    expect(failure).toMatchObject({ code: "secret_key_missing" });
    expect((failure as Error).message).toContain(keyring.current().id);
    expect([await secrets.countUnreadable(), await elsewhere.countUnreadable()]).toEqual([0, 1]);
  });
});

describe("a rotation", () => {
  const fill = async (secrets: ReturnType<typeof createSecrets>, count: number) => {
    for (let i = 0; i < count; i++)
      await secrets.put({ projectId: (i % 2) + 1, name: `channel/${i}/url` }, `plain ${i}`);
  };
  const readAll = (secrets: ReturnType<typeof createSecrets>, count: number) =>
    Promise.all(
      Array.from({ length: count }, (_, i) =>
        secrets.find({ projectId: (i % 2) + 1, name: `channel/${i}/url` }),
      ),
    );
  const plains = (count: number) => Array.from({ length: count }, (_, i) => `plain ${i}`);

  it("encrypts all anew with a new key, and the old one is of no use then", async () => {
    const { secrets, keyring } = await fresh();
    await fill(secrets, 250);
    const old = keyring.current();
    expect(await secrets.rotate()).toEqual({ rotated: 250, unreadable: 0 });
    expect(keyring.current().id).not.toBe(old.id);
    expect(await keyIds()).toEqual([keyring.current().id]);
    expect(await readAll(secrets, 250)).toEqual(plains(250));
  });

  it("with keys of the setting goes over to the first", async () => {
    const [a, b] = ["a".repeat(32), "b".repeat(32)];
    const before = await fresh(createKeyring({ setting: [a], dataDir: folder }));
    await fill(before.secrets, 3);
    const both = createSecrets(sql, createKeyring({ setting: [b, a], dataDir: folder }));
    expect(await readAll(both, 3)).toEqual(plains(3));
    expect(await both.rotate()).toEqual({ rotated: 3, unreadable: 0 });
    expect(await both.rotate()).toEqual({ rotated: 0, unreadable: 0 });
    const after = createSecrets(sql, createKeyring({ setting: [b], dataDir: folder }));
    expect(await readAll(after, 3)).toEqual(plains(3));
  });

  it("that is broken off leaves every secret readable, and the next one ends it", async () => {
    const dataDir = path.join(folder, "broken-off");
    const { secrets } = await fresh(createKeyring({ setting: undefined, dataDir }));
    await fill(secrets, 250);
    // The second transaction fails, as when the server is killed between the two.
    await sql`create function fail_late() returns trigger language plpgsql as $$
      begin if new.name = 'channel/150/url' then raise exception 'broken off'; end if; return new; end $$`;
    await sql`create trigger fail_late before update on secret for each row execute function fail_late()`;
    await expect(secrets.rotate()).rejects.toThrow("broken off");
    expect(await sql`select key_id, count(*)::int as n from secret group by 1 order by 2`).toMatchObject([
      { n: 100 },
      { n: 150 },
    ]);
    // Another process, which knows no more than the file.
    const next = createSecrets(sql, createKeyring({ setting: undefined, dataDir }));
    expect(await readAll(next, 250)).toEqual(plains(250));
    await sql`drop trigger fail_late on secret`;
    await sql`drop function fail_late`;
    expect(await next.rotate()).toEqual({ rotated: 250, unreadable: 0 });
    expect(await keyIds()).toHaveLength(1);
    expect(await readAll(next, 250)).toEqual(plains(250));
  });

  it("two at once and writes meanwhile lose nothing", async () => {
    const { secrets } = await fresh();
    await fill(secrets, 60);
    const [first, second] = await Promise.all([
      secrets.rotate(),
      secrets.rotate(),
      ...Array.from({ length: 60 }, (_, i) =>
        secrets.put({ projectId: (i % 2) + 1, name: `channel/${i}/url` }, `plain ${i}`),
      ),
    ]);
    expect([first, second]).toMatchObject([{ unreadable: 0 }, { unreadable: 0 }]);
    expect(await readAll(secrets, 60)).toEqual(plains(60));
  });

  it("leaves what it cannot read as it is, and says how much", async () => {
    const { secrets } = await fresh();
    await fill(secrets, 3);
    await createSecrets(sql, aKeyring()).put(OF_ALL, "of another key");
    const before = await sql`select sealed from secret where project_id is null`;
    expect(await secrets.rotate()).toEqual({ rotated: 3, unreadable: 1 });
    expect(await sql`select sealed from secret where project_id is null`).toEqual(before);
  });

  it("asked for by many at once does not starve itself of connections", async () => {
    await sql`delete from secret`;
    await api.server.core.secrets.put(URL_OF_1, "x");
    const ask = () => api.fetch("/api/secret-rotations", { method: "POST" });
    const statuses = await Promise.all(Array.from({ length: 12 }, async () => (await ask()).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(await api.server.core.secrets.find(URL_OF_1)).toBe("x");
  });

  it("is asked for over HTTP by the owner of the installation", async () => {
    await sql`delete from secret`;
    await api.server.core.secrets.put(URL_OF_1, "x");
    const response = await api.fetch("/api/secret-rotations", { method: "POST" });
    expect([response.status, (await response.json()).unreadable]).toEqual([200, 0]);
    expect(await api.server.core.secrets.find(URL_OF_1)).toBe("x");
  });
});
