import { describe, expect, it } from "vitest";
import { cookieOf, createPerson, OWN_SITE, send, signIn } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";

const api = await startTestServer();
const { sql } = api.database;
const PASSWORD = "a fine day for tea";
const MINUTE_MS = 60_000;

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(api.url + path, {
    method: "POST",
    headers: { "content-type": "application/json", ...OWN_SITE, ...headers },
    body: JSON.stringify(body),
  });
const signInBy = (email: string, password: string) => post("/api/sign-in", { email, password });
const me = async (cookie: string) =>
  (await fetch(`${api.url}/api/me`, { headers: { cookie } })).json() as Promise<{
    role: string;
    person: { name: string } | null;
    code?: string;
  }>;

async function createWithPassword(name: string, email: string) {
  const id = await createPerson(api, name, { default: "viewer" }, { email });
  const session = await signIn(api, id);
  const response = await fetch(`${api.url}/api/me/password`, {
    method: "PUT",
    headers: { ...session.headers, "content-type": "application/json" },
    body: JSON.stringify({ password: PASSWORD }),
  });
  expect(response.status).toBe(204);
  return { id, session };
}

/** Of what is answered: all that a stranger could tell cases apart by. */
async function seen(response: Response) {
  const { requestId: _, ...problem } = await response.json();
  return { status: response.status, problem, headers: [...response.headers.keys()].sort() };
}

describe("signing in by password", () => {
  it("is offered once somebody has one", async () => {
    expect(await api.get("/api/sign-in-ways")).toEqual({ password: false, oidc: null });
    await createWithPassword("Ada", "ada@example.org");
    expect(await api.get("/api/sign-in-ways")).toEqual({ password: true, oidc: null });
  });

  it("is when one was last seen, and says nothing of others", async () => {
    await createPerson(api, "Nina", { default: "viewer" }, { email: "nina@example.org" });
    const { users } = await api.get("/api/users");
    const last = (name: string) => users.find((user: { name: string }) => user.name === name)?.lastSeenAt;
    expect([typeof last("Ada"), last("Nina")]).toEqual(["string", null]);
  });

  it("opens a session, whatever the case of the address", async () => {
    const response = await signInBy(" ADA@example.org ", PASSWORD);
    expect(response.status).toBe(204);
    expect((await me(cookieOf(response))).person).toMatchObject({ name: "Ada" });
    const { sessions } = await (
      await fetch(`${api.url}/api/me/sessions`, { headers: { cookie: cookieOf(response) } })
    ).json();
    expect(sessions.find(({ isThis }: { isThis: boolean }) => isThis)).toMatchObject({ via: "password" });
  });

  it("answers the same for a wrong password, for nobody, for no password, and for who is shut out", async () => {
    await createPerson(api, "Linked", {}, { email: "linked@example.org" });
    const { id } = await createWithPassword("Shut", "shut@example.org");
    await send(api, "PATCH", `/api/users/${id}`, { isDisabled: true });
    const wrong = await seen(await signInBy("ada@example.org", "wrong"));
    expect(wrong).toMatchObject({ status: 401, problem: { code: "wrong_credentials" } });
    expect(await seen(await signInBy("nobody@example.org", PASSWORD))).toEqual(wrong);
    expect(await seen(await signInBy("linked@example.org", PASSWORD))).toEqual(wrong);
    expect(await seen(await signInBy("shut@example.org", PASSWORD))).toEqual(wrong);
    expect(await seen(await signInBy("'; drop table", "x".repeat(999)))).toEqual(wrong);
  });

  it("is refused for a while after ten failures, for who exists and for who does not", async () => {
    api.clock.nowMs += 60 * MINUTE_MS;
    for (const email of ["ada@example.org", "nobody@example.org"]) {
      // All at once: counting only those that were looked at already would let all of them through.
      const answers = await Promise.all(Array.from({ length: 14 }, () => signInBy(email, "wrong")));
      expect(answers.map(({ status }) => status).sort()).toEqual([
        ...Array.from({ length: 10 }, () => 401),
        ...Array.from({ length: 4 }, () => 429),
      ]);
    }
    const [known, unknown] = await Promise.all(
      ["ada@example.org", "nobody@example.org"].map(async (email) => seen(await signInBy(email, PASSWORD))),
    );
    expect(known).toMatchObject({ status: 429, problem: { code: "too_many_attempts" } });
    expect(known?.headers).toContain("retry-after");
    expect(unknown).toEqual(known);
    api.clock.nowMs += 15 * MINUTE_MS;
    expect((await signInBy("ada@example.org", PASSWORD)).status).toBe(204);
  });

  it("is refused to an address that has tried fifty people", async () => {
    api.clock.nowMs += 60 * MINUTE_MS;
    for (let i = 0; i < 50; i++) expect((await signInBy(`guess-${i}@example.org`, "x")).status).toBe(401);
    expect((await signInBy("ada@example.org", PASSWORD)).status).toBe(429);
    api.clock.nowMs += 15 * MINUTE_MS;
  });
});

describe("a password", () => {
  it("is kept as scrypt alone", async () => {
    const [row] = await sql<{ hash: string; dump: string }[]>`
      select password_hash as hash, (select string_agg(u::text, ' ') from app_user u) as dump
        from app_user where email = 'ada@example.org'`;
    expect(row?.hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$/);
    expect(row?.dump).not.toContain(PASSWORD);
  });

  it("is changed by the one that holds, and ends every other session and link", async () => {
    const { id, session } = await createWithPassword("Eve", "eve@example.org");
    const other = await signIn(api, id);
    const { url } = await send(api, "POST", `/api/users/${id}/sign-in-links`);
    const change = (body: unknown) =>
      fetch(`${api.url}/api/me/password`, {
        method: "PUT",
        headers: { ...session.headers, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const pointersOf = async (response: Response) =>
      (await response.json()).errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(await pointersOf(await change({ password: "short" }))).toEqual(["/password"]);
    expect(await pointersOf(await change({ password: "eve@example.org" }))).toEqual(["/password"]);
    expect(await pointersOf(await change({ password: "another fine day" }))).toEqual(["/current"]);
    expect(await pointersOf(await change({ password: "another fine day", current: "no" }))).toEqual([
      "/current",
    ]);
    expect((await me(other.headers.cookie)).person).toMatchObject({ name: "Eve" });
    expect((await change({ password: "another fine day", current: PASSWORD })).status).toBe(204);
    expect((await me(other.headers.cookie)).code).toBe("not_signed_in");
    expect((await me(session.headers.cookie)).person).toMatchObject({ name: "Eve" });
    expect((await fetch(url, { redirect: "manual" })).headers.get("location")).toBe("/?signIn=failed");
    expect((await signInBy("eve@example.org", PASSWORD)).status).toBe(401);
    expect((await signInBy("eve@example.org", "another fine day")).status).toBe(204);
  });
});

describe("an invitation", () => {
  const invite = async (parts: Record<string, unknown> = {}) => {
    const made = await send(api, "POST", "/api/invitations", { role: "editor", ...parts });
    return { ...made, token: made.url.split("#")[1] as string };
  };
  const codeOf = async (response: Response) => [response.status, (await response.json()).code];

  it("tells what it is for, takes in somebody new once, and signs them in", async () => {
    const { token } = await invite({ note: "for Bob" });
    const open = await post("/api/invitations/open", { token });
    expect(await open.json()).toMatchObject({ project: "Default", role: "editor", signedInAs: null });
    const missing = await (await post("/api/invitations/accept", { token })).json();
    expect(missing.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual([
      "/name",
      "/email",
      "/password",
    ]);
    const person = { token, name: "Bob", email: "bob@example.org", password: PASSWORD };
    const joined = await post("/api/invitations/accept", person);
    expect((await joined.json()).project.slug).toBe("default");
    expect(await me(cookieOf(joined))).toMatchObject({ role: "editor", person: { name: "Bob" } });
    expect((await signInBy("bob@example.org", PASSWORD)).status).toBe(204);
    expect(
      await codeOf(await post("/api/invitations/accept", { ...person, email: "x@example.org" })),
    ).toEqual([404, "no_such_invitation"]);
    expect(await codeOf(await post("/api/invitations/open", { token }))).toEqual([404, "no_such_invitation"]);
  });

  it("is used by one alone when two come at the same moment", async () => {
    const { token } = await invite();
    const answers = await Promise.all(
      [1, 2, 3].map((i) =>
        post("/api/invitations/accept", {
          token,
          name: `Twin ${i}`,
          email: `twin-${i}@example.org`,
          password: PASSWORD,
        }),
      ),
    );
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404]);
    const twins = await sql`select 1 from app_user where email like 'twin-%'`;
    expect(twins).toHaveLength(1);
  });

  it("takes in whoever is signed in, who never loses a role by it", async () => {
    await send(api, "POST", "/api/projects", { slug: "shop", name: "Shop" });
    const signed = await signIn(api, await createPerson(api, "Carol", { default: "admin" }));
    const toShop = await send(api, "POST", "/api/invitations?project=shop", { role: "viewer" });
    const lower = await invite({ role: "viewer" });
    for (const token of [toShop.url.split("#")[1], lower.token]) {
      expect((await post("/api/invitations/accept", { token }, signed.headers)).status).toBe(200);
    }
    const { projects } = await (
      await fetch(`${api.url}/api/projects`, { headers: { cookie: signed.headers.cookie } })
    ).json();
    expect(projects.map(({ slug, role }: { slug: string; role: string }) => [slug, role])).toEqual([
      ["default", "admin"],
      ["shop", "viewer"],
    ]);
  });

  it("does not work when it is withdrawn, too old, or of a project that is gone", async () => {
    const withdrawn = await invite();
    await send(api, "DELETE", `/api/invitations/${withdrawn.id}`);
    const late = await invite({ expiresInDays: 1 });
    await send(api, "POST", "/api/projects", { slug: "brief", name: "Brief" });
    const gone = await send(api, "POST", "/api/invitations?project=brief", { role: "admin" });
    await send(api, "DELETE", "/api/projects/brief");
    api.clock.nowMs += 24 * 60 * MINUTE_MS;
    for (const token of [withdrawn.token, late.token, gone.url.split("#")[1], "made up"]) {
      expect(await codeOf(await post("/api/invitations/open", { token }))).toEqual([
        404,
        "no_such_invitation",
      ]);
    }
    expect((await api.get("/api/invitations")).invitations).toEqual([]);
  });

  it("is stored as a hash only", async () => {
    const { token } = await invite();
    const [dump] = await sql<{ text: string }[]>`select string_agg(i::text, ' ') as text from invitation i`;
    expect(dump?.text).not.toContain(token);
  });
});

describe("people", () => {
  it("keep one owner, also when two go at the same moment", async () => {
    const [first] = await sql<{ id: number }[]>`select id from app_user where is_owner order by id`;
    const second = await createPerson(api, "Second", {}, { isOwner: true });
    const both = await Promise.all(
      [first?.id, second].map((id) =>
        api.fetch(`/api/users/${id}`, {
          method: "PATCH",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ isDisabled: true }),
        }),
      ),
    );
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const [left] = await sql<{ n: number }[]>`
      select count(*)::int as n from app_user where is_owner and disabled_at is null`;
    expect(left?.n).toBe(1);
    const [last] = await sql<
      { id: number }[]
    >`select id from app_user where is_owner and disabled_at is null`;
    const response = await api.fetch(`/api/users/${last?.id}`, { method: "DELETE" });
    expect([response.status, (await response.json()).code]).toEqual([409, "last_owner"]);
  });

  it("share no e-mail", async () => {
    const response = await api.fetch("/api/users", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ name: "Another Ada", email: "ADA@example.org" }),
    });
    expect([response.status, (await response.json()).code]).toEqual([409, "email_taken"]);
  });

  it("see and end their own sessions, and nobody else's", async () => {
    const [ada, eve] = [
      await signIn(api, await createPerson(api, "A", { default: "admin" })),
      await signIn(api, await createPerson(api, "E", { default: "admin" })),
    ];
    const list = async (headers: Record<string, string>) =>
      (await (await fetch(`${api.url}/api/me/sessions`, { headers })).json()).sessions;
    const [own] = await list(ada.headers);
    expect([own.isThis, own.user.name, (await list(ada.headers)).length]).toEqual([true, "A", 1]);
    const end = (headers: Record<string, string>) =>
      fetch(`${api.url}/api/me/sessions/${own.id}`, { method: "DELETE", headers });
    expect((await end(eve.headers)).status).toBe(404);
    expect((await me(ada.headers.cookie)).person).not.toBeNull();
    expect((await end(ada.headers)).status).toBe(204);
    expect((await me(ada.headers.cookie)).code).toBe("not_signed_in");
  });
});
