import { ADMIN_TOKEN, type Product, withDatabase } from "../../../bench/support/product.ts";
import { type Admin, createAdmin } from "./admin.ts";
import { MARKS, plant, SIDES, type Side, SLUGS, tidy } from "./planted.ts";

export interface Caller {
  readonly name: string;
  /** Which project it may see; `null`: none. */
  readonly sees: Side | "both" | null;
  headers(): Readonly<Record<string, string>>;
}

/** Two projects with planted texts, and all kinds of callers. */
export interface World {
  readonly callers: readonly Caller[];
  /** Numbers of keys of both projects, and of people who are no callers. */
  readonly ids: readonly number[];
  /** Plants what was changed anew, and throws away what only makes lists long. */
  refresh(): Promise<void>;
  /** Replaces credentials that callers have revoked or ended. */
  renew(): Promise<void>;
}

const KINDS = ["ingest", "read", "admin"] as const;
const ROLES = ["viewer", "editor", "admin"] as const;
/**
 * Numbers of those who call are out of reach of those that are drawn: nobody gives a caller a part in the other
 * project, which would be no leak.
 */
const FIRST_CALLER_ID = 1_000_000_007;
const OWN_PAGES = { "sec-fetch-site": "same-origin" };

/** The product must be running on a data folder of its own. */
export async function createWorld(product: Product): Promise<World> {
  const admin = createAdmin(product.url);
  await admin.must("POST", "/api/projects", { slug: SLUGS.theirs, name: "theirs" });
  const ids: number[] = [1];
  for (const name of ["somebody", "somebody else", "a third one"]) {
    ids.push(Number((await admin.must("POST", "/api/users", { name }))["id"]));
  }
  const bystanders = [...ids];
  await withDatabase(product.dataDir, async (sql) => {
    await sql.unsafe(`alter table app_user alter column id restart with ${FIRST_CALLER_ID}`);
  });
  const credentials = [
    ...SIDES.flatMap((side) => KINDS.map((kind) => createKeyHolder(admin, side, kind, ids))),
    ...(await Promise.all(SIDES.flatMap((side) => ROLES.map((role) => createPerson(admin, side, role))))),
    createOwner(admin),
  ];
  const people = credentials.flatMap(({ userId }) => (userId === undefined ? [] : [userId]));

  let renewing: Promise<void> | null = null;
  /** All who wait for new credentials wait for the same ones. */
  function renew(): Promise<void> {
    const work = async () => {
      for (const one of credentials) await one.renew();
    };
    renewing ??= work().finally(() => {
      renewing = null;
    });
    return renewing;
  }

  async function refresh(): Promise<void> {
    await withDatabase(product.dataDir, (sql) => tidy(sql, { bystanders, callers: people }));
    await admin.call("POST", "/api/projects", { slug: "spare", name: "spare" });
    await renew();
    for (const side of SIDES) await plant(admin, side);
  }

  await refresh();
  const owner = credentials.at(-1);
  return {
    ids,
    refresh,
    renew,
    callers: [
      ...credentials,
      { name: "nobody", sees: null, headers: () => ({}) },
      { name: "a wrong key", sees: null, headers: () => ({ authorization: `Bearer bha_${"x".repeat(43)}` }) },
      { name: "the admin token", sees: "both", headers: () => ({ authorization: `Bearer ${ADMIN_TOKEN}` }) },
      {
        name: "the owner from elsewhere",
        sees: "both",
        headers: () => ({ cookie: owner?.headers()["cookie"] ?? "" }),
      },
    ],
  };
}

interface Credential extends Caller {
  readonly userId?: number;
  renew(): Promise<void>;
}

function createKeyHolder(admin: Admin, side: Side, kind: (typeof KINDS)[number], ids: number[]): Credential {
  let headers: Record<string, string> = {};
  return {
    name: `${side} ${kind} key`,
    sees: side,
    headers: () => headers,
    async renew() {
      if (await admin.isLive(headers)) return;
      const name = `${MARKS[side]} key`;
      const made = await admin.must("POST", `/api/keys?project=${SLUGS[side]}`, { kind, name });
      headers = { authorization: `Bearer ${made["key"]}` };
      ids.push(Number(made["id"]));
    },
  };
}

async function createPerson(admin: Admin, side: Side, role: (typeof ROLES)[number]): Promise<Credential> {
  const mark = MARKS[side];
  const email = `${mark}.${role}@corp.example`;
  const { id } = await admin.must("POST", "/api/users", { name: `${mark} ${role}`, email });
  await admin.must("PUT", `/api/members/${id}?project=${SLUGS[side]}`, { role });
  return createSession(admin, `${side} ${role}`, side, `/api/users/${id}/sign-in-links`, Number(id));
}

const createOwner = (admin: Admin) => createSession(admin, "the owner", "both", "/api/sign-in-links");

function createSession(
  admin: Admin,
  name: string,
  sees: Caller["sees"],
  linksPath: string,
  userId?: number,
): Credential {
  let headers: Record<string, string> = {};
  return {
    name,
    sees,
    ...(userId === undefined ? {} : { userId }),
    headers: () => headers,
    async renew() {
      if (await admin.isLive(headers)) return;
      const { url } = await admin.must("POST", linksPath);
      headers = { cookie: await admin.follow(String(url)), ...OWN_PAGES };
    },
  };
}
