import { gunzipSync } from "node:zlib";
import fc from "fast-check";
import { parseFeed } from "feedsmith";
import { SaxesParser } from "saxes";
import { Statuspage } from "statuspage.io";
import { describe, expect, it } from "vitest";
import type { NoteRecord, StatusPageAnswer } from "../../server/contract/status.ts";
import * as contract from "../../server/contract/status-routes.ts";
import { createEpisodeJobs } from "../../server/episodes/job.ts";
import { anEvent } from "../support/events.ts";
import { createPerson, send, signIn } from "../support/people.ts";
import { startTestServer } from "../support/server.ts";
import { STATUSPAGE_SHAPES } from "./statuspage-shapes.ts";

const api = await startTestServer();
const { clock } = api;
const NOW = clock.nowMs;
const MINUTE = 60_000;
const FILES = Object.keys(STATUSPAGE_SHAPES) as (keyof typeof STATUSPAGE_SHAPES)[];
const OTHERS = ["", "/history.atom", "/history.rss", "/badge.svg"];

/** What may never be seen from outside: names, and numbers that nothing else has. */
const SECRETS = [
  "secretprov",
  "internal-large",
  "internal-small",
  "eu.secret.example",
  "batch-worker",
  "night-chain",
];

/** Calls every 20 seconds of the last `minutes`, of which a share found no room in the last ten minutes. */
function traffic(model: string, minutes: number, share: number, parts = {}) {
  return Array.from({ length: minutes * 3 }, (_, i) => {
    const agoMs = (minutes * 3 - i) * 20_000;
    const isBad = agoMs <= 10 * MINUTE && (i % 10) / 10 < share;
    return anEvent({
      occurredAt: new Date(NOW - agoMs).toISOString(),
      provider: "secretprov",
      model,
      endpoint: "eu.secret.example",
      source: "batch-worker",
      chain: "night-chain",
      outcome: isBad ? "capacity" : "ok",
      ...parts,
    });
  });
}

await send(api, "POST", "/api/projects", { slug: "other", name: "Other" });
await api.post(traffic("internal-large", 180, 0.3));
await api.post(traffic("internal-small", 180, 0));
await api.post(traffic("internal-mute", 180, 0, { outcome: "server_error" }));
await send(api, "POST", "/v1/attempts?project=other", { attempts: traffic("theirs", 180, 0.9) });
await api.catchUp();
await createEpisodeJobs(api.server.core.jobSql).runLive(NOW);

const target = (model: string, endpoint: string | null = null) => ({
  provider: "secretprov",
  model,
  endpoint,
});
const component = (en: string, model: string, parts = {}) => ({
  name: { en },
  mode: "auto",
  targets: [target(model)],
  ...parts,
});
const settings = {
  slug: "acme",
  isPublic: true,
  name: { en: "Acme", zh: "顶点" },
  about: { en: "About\n\nus" },
  homeUrl: "https://acme.example.com/",
  components: [
    component("Chat", "internal-large", { name: { en: "Chat", zh: "对话" } }),
    component("Summaries", "internal-small"),
    component("Voice", "internal-mute"),
    component("Elsewhere", "theirs"),
    { name: { en: "Search" }, mode: "manual", targets: [] },
  ],
};
const put = (parts = {}): Promise<StatusPageAnswer> =>
  send(api, "PUT", "/api/status-page", { ...settings, ...parts });
/** As a stranger. */
const open = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${api.url}/status/acme${path}`, { headers });
const text = async (path: string, headers = {}) => (await open(path, headers)).text();
const json = async (file: string) => JSON.parse(await text(`/api/v2/${file}`));

/** Throws where it is not well-formed. */
function checkXml(document: string): void {
  const parser = new SaxesParser({ xmlns: true });
  parser.on("error", (error) => {
    throw error;
  });
  parser.write(document).close();
}

describe("a status page", () => {
  it("is not there before it is switched on, and nobody learns whether it could be", async () => {
    const seen: string[] = [];
    const look = async () => {
      for (const path of [...OTHERS, "/api/v2/summary.json"]) {
        for (const slug of ["acme", "never-was"]) {
          const response = await fetch(`${api.url}/status/${slug}${path}`);
          const body = (await response.text()).replace(/"requestId":"[^"]+"/, "");
          const headers = [...response.headers].filter(([name]) => !["x-request-id", "date"].includes(name));
          seen.push(JSON.stringify([path, response.status, headers, body]));
          expect(response.status).toBe(404);
        }
      }
    };
    await look();
    await put({ isPublic: false });
    await look();
    // As many different answers as there are paths: the address makes none.
    expect(new Set(seen).size).toBe(OTHERS.length + 1);
    expect((await fetch(`${api.url}/status/${"%00"}`)).status).toBe(404);
    expect((await fetch(`${api.url}/status/-/page.css`)).status).toBe(404);
  });

  it("says in plain words how each component does, and nothing of what is behind it", async () => {
    const saved = await put();
    expect(saved.page.url).toBe(`${api.url}/status/acme`);
    const page = await text("");
    const words = [...page.matchAll(/<h3>(.*?)<\/h3><p class="word">.*?<span>(.*?)<\/span>/g)];
    expect(words.map(([, name, word]) => `${name}: ${word}`)).toEqual([
      "Chat: Very busy",
      "Summaries: Available",
      "Voice: Unavailable",
      "Elsewhere: Not enough data",
      "Search: Available",
    ]);
    expect(page).toContain("<span>Voice is unavailable and Chat is very busy.</span>");
    expect(page).not.toMatch(/<script(?! src=)|<style|\son\w+=|javascript:/i);
    const all = [
      page,
      ...(await Promise.all(
        [...OTHERS, ...FILES.map((file) => `/api/v2/${file}`)].map((path) => text(path)),
      )),
    ];
    for (const document of all) {
      expect(document.length).toBeGreaterThan(50);
      for (const secret of SECRETS) expect(document).not.toContain(secret);
      // 540 calls of each model: neither them nor those that failed.
      expect(document).not.toMatch(/\b(?:540|1[,.]?080|1[,.]?620)\b/);
    }
  });

  it("tells how many calls it rests on when the team wants it", async () => {
    await put({ showsVolumes: true });
    expect(await text("")).toContain("from 540 requests in 24 hours");
    await put();
    expect(await text("")).not.toContain("540 requests");
  });

  it("speaks English and Chinese, as the browser prefers or the address says", async () => {
    expect(await text("", { "accept-language": "zh-CN,zh;q=0.9,en;q=0.5" })).toContain('<html lang="zh-CN"');
    expect(await text("", { "accept-language": "de,en;q=0.5,zh;q=0.3" })).toContain('<html lang="en"');
    const chinese = await text("?lang=zh", { "accept-language": "en" });
    expect(chinese).toContain("对话");
    expect(chinese).toContain("非常繁忙");
    // What was not written in it says so.
    expect(chinese).toContain('<span lang="en">Summaries</span>');
    expect(await text("?lang=xx")).toContain('<html lang="en"');
    const { components, status } = JSON.parse(await text("/api/v2/summary.json?lang=zh"));
    expect([components[0].name, status.description]).toEqual(["对话", "Voice 不可用，对话 非常繁忙。"]);
  });

  it("shows times in the zone that was asked for, and takes whatever is added to its address", async () => {
    expect(await text("")).toContain("As of Sun 29 Nov, 12:00.");
    expect(await text("?zone=asia/tokyo")).toContain("As of Sun 29 Nov, 21:00.");
    expect(await text("?zone=Mars/Base&range=9y&utm_source=x&lang=a&lang=b")).toContain("12:00.");
    const bars = async (range: string) =>
      (await text(`?range=${range}`)).split('<ol class="bars"')[1]?.split("</ol>")[0]?.match(/<li/g);
    expect([(await bars("24h"))?.length, (await bars("7d"))?.length, (await bars("90d"))?.length]).toEqual([
      48, 84, 90,
    ]);
    const page = await text("?zone=Asia/Tokyo&range=24h");
    expect(page).toContain('name="zone" list="zones" value="Asia/Tokyo"');
    // Ten minutes of the last half-hour.
    expect(page).toMatch(/title="20:30–21:00: available 15 min, very busy 15 min"/);
    expect(page).toContain(": not enough data");
  });

  it("is kept by caches for half a minute, and not sent twice", async () => {
    for (const path of [...OTHERS, ...FILES.map((file) => `/api/v2/${file}`)]) {
      const first = await open(path);
      const etag = first.headers.get("etag") ?? "";
      expect([path, first.status, first.headers.get("cache-control")]).toEqual([
        path,
        200,
        "public, max-age=30",
      ]);
      expect(first.headers.get("vary")).toBe("Accept-Language, Accept-Encoding");
      expect(first.headers.get("access-control-allow-origin")).toBe(path === "" ? null : "*");
      for (const known of [etag, `"x", ${etag.replace("W/", "")}`, "*"]) {
        const again = await open(path, { "if-none-match": known });
        expect([again.status, await again.text()]).toEqual([304, ""]);
      }
      expect((await open(path, { "if-none-match": '"other"' })).status).toBe(200);
    }
    const head = await fetch(`${api.url}/status/acme`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    const plain = await fetch(`${api.url}/status/acme`, { headers: { "accept-encoding": "identity" } });
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(gunzipSync(Buffer.from(await rawBody("/status/acme"))).toString()).toBe(await plain.text());
  });

  it("asks search engines to stay away unless they may come", async () => {
    expect(await text("")).toContain('<meta name="robots" content="noindex,nofollow">');
    await put({ isIndexed: true });
    expect(await text("")).toContain('<meta name="robots" content="index,follow">');
    await put();
  });

  it("has style and script in files of its own that browsers may keep", async () => {
    const page = await text("");
    const files = [...page.matchAll(/(?:src|href)="(\/status\/-\/[^"]+)"/g)].map(([, file]) => file ?? "");
    expect(files.map((file) => file.split(".").at(-1))).toEqual(["svg", "css", "js"]);
    for (const file of files) {
      const response = await fetch(api.url + file);
      expect([response.status, response.headers.get("cache-control")]).toEqual([
        200,
        "public, max-age=31536000, immutable",
      ]);
    }
  });

  it("can be seen by the team before it is public, marked as a preview", async () => {
    await put({ isPublic: false });
    expect((await open("")).status).toBe(404);
    const preview = await api.fetch("/api/status-page/preview?lang=zh&range=7d");
    const page = await preview.text();
    expect([preview.status, page.includes("预览。此页面未公开")]).toEqual([200, true]);
    expect(page).toContain("?project=default&amp;lang=en&amp;zone=UTC&amp;range=7d");
    expect((await fetch(`${api.url}/api/status-page/preview`)).status).toBe(401);
    await put();
  });

  it("is shown while the database is away, for a quarter of an hour, with the time at which it was true", async () => {
    expect((await open("")).status).toBe(200);
    const { sql } = api.database;
    await sql`alter table status_page rename to away`;
    clock.nowMs = NOW + 14 * MINUTE;
    expect(await text("")).toContain("As of Sun 29 Nov, 12:00.");
    clock.nowMs = NOW + 16 * MINUTE;
    expect((await open("")).status).toBe(500);
    await sql`alter table away rename to status_page`;
    clock.nowMs = NOW;
  });
});

/** As it came: `fetch` unpacks. */
async function rawBody(path: string): Promise<Buffer> {
  const http = await import("node:http");
  return new Promise((resolve, reject) => {
    http
      .get(api.url + path, { headers: { "accept-encoding": "gzip" } }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk) => chunks.push(chunk));
        response.on("end", () => resolve(Buffer.concat(chunks)));
      })
      .on("error", reject);
  });
}

describe("notes", () => {
  it("go from the first word to the last, on the page and in the files", async () => {
    const { components } = await put();
    const [chat, , , , search] = components.map(({ id }) => id);
    const note: NoteRecord = await send(api, "POST", "/api/status-notes", {
      kind: "incident",
      impact: "critical",
      title: { en: "Search is away", zh: "搜索不可用" },
      components: [search],
      body: { en: "We look into it." },
    });
    expect([note.state, note.updates.map(({ state }) => state)]).toEqual([
      "investigating",
      ["investigating"],
    ]);
    expect(await text("")).toMatch(/<h3>Search<\/h3><p class="word">.*?<span>Unavailable<\/span>/);
    const [open1] = (await json("incidents/unresolved.json")).incidents;
    expect([open1.name, open1.impact, open1.components.map(({ name }: { name: string }) => name)]).toEqual([
      "Search is away",
      "critical",
      ["Search"],
    ]);
    // What is measured automatically is not touched by what is written.
    await send(api, "PATCH", `/api/status-notes/${note.id}`, { components: [chat, search], impact: "minor" });
    const page = await text("");
    expect(page).toMatch(/<h3>Chat<\/h3><p class="word">.*?<span>Very busy<\/span>/);
    expect(page).toMatch(/<h3>Search<\/h3><p class="word">.*?<span>Busy<\/span>/);
    clock.nowMs += 5 * MINUTE;
    const after: NoteRecord = await send(api, "POST", `/api/status-notes/${note.id}/updates`, {
      state: "resolved",
      body: { en: "It is beck.", zh: "已恢复。" },
    });
    const [last] = after.updates;
    await send(api, "PATCH", `/api/status-notes/${note.id}/updates/${last?.id}`, {
      body: { en: "It is back." },
    });
    const resolved = (await json("incidents.json")).incidents.find(
      ({ id }: { id: string }) => id === note.id,
    );
    expect([resolved.status, resolved.resolved_at, resolved.incident_updates[0].body]).toEqual([
      "resolved",
      new Date(clock.nowMs).toISOString(),
      "It is back.",
    ]);
    expect(await text("")).toMatch(/<h3>Search<\/h3><p class="word">.*?<span>Available<\/span>/);
    await send(api, "DELETE", `/api/status-notes/${note.id}`);
    expect(await text("")).not.toContain("Search is away");
    clock.nowMs = NOW;
  });

  it("announce a maintenance, which begins and ends by itself", async () => {
    const { components } = await put();
    const search = components[4]?.id;
    const note: NoteRecord = await send(api, "POST", "/api/status-notes", {
      kind: "maintenance",
      title: { en: "New machines" },
      components: [search],
      startsAt: new Date(NOW + 10 * MINUTE).toISOString(),
      endsAt: new Date(NOW + 20 * MINUTE).toISOString(),
      body: { en: "A short break." },
    });
    const states = async () =>
      Promise.all(
        ["upcoming.json", "active.json"].map(
          async (file) => (await json(`scheduled-maintenances/${file}`)).scheduled_maintenances.length,
        ),
      );
    expect(await states()).toEqual([1, 0]);
    clock.nowMs = NOW + 12 * MINUTE;
    await open("");
    expect(await states()).toEqual([0, 1]);
    const { components: shown } = await json("components.json");
    expect(shown[4].status).toBe("under_maintenance");
    clock.nowMs = NOW + 21 * MINUTE;
    await open("");
    expect(await states()).toEqual([0, 0]);
    await send(api, "DELETE", `/api/status-notes/${note.id}`);
    clock.nowMs = NOW;
  });

  it("and words are for editors, settings for admins, looking for viewers", async () => {
    const { components } = await put();
    const id = components[4]?.id;
    const as = async (role: "viewer" | "editor" | "admin") =>
      (await signIn(api, await createPerson(api, role, { default: role }))).headers;
    const people = { viewer: await as("viewer"), editor: await as("editor"), admin: await as("admin") };
    const fate = async (role: keyof typeof people, method: string, path: string, body: unknown) =>
      (
        await fetch(api.url + path, {
          method,
          headers: { ...people[role], "content-type": "application/json" },
          body: JSON.stringify(body),
        })
      ).status;
    const word = [`/api/status-page/components/${id}/word`, { state: "busy" }] as const;
    expect(await fate("viewer", "PUT", ...word)).toBe(403);
    expect(await fate("editor", "PUT", ...word)).toBe(200);
    expect(await fate("editor", "PUT", "/api/status-page", settings)).toBe(403);
    expect(await fate("admin", "PUT", "/api/status-page", settings)).toBe(200);
    // The word outlives the saving of settings, until it is taken back.
    expect(await text("")).toMatch(/<h3>Search<\/h3><p class="word">.*?<span>Busy<\/span>/);
    expect(await fate("editor", "PUT", word[0], { state: null })).toBe(200);
    expect(await text("")).toMatch(/<h3>Search<\/h3><p class="word">.*?<span>Available<\/span>/);
  });

  it("and settings that cannot be are refused with where and why", async () => {
    const faults = async (method: string, path: string, body: unknown) => {
      const response = await api.fetch(path, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const answer = await response.json();
      return [response.status, ...(answer.errors ?? []).map(({ pointer }: { pointer: string }) => pointer)];
    };
    const page = (parts: object) => faults("PUT", "/api/status-page", { ...settings, ...parts });
    expect(await page({ slug: "No Slug" })).toEqual([422, "/slug"]);
    expect(await page({ homeUrl: "javascript:alert(1)" })).toEqual([422, "/homeUrl"]);
    expect(await page({ name: { en: " ", zh: "" } })).toEqual([422, "/name"]);
    expect(await page({ components: [{ name: { en: "x" }, mode: "both", targets: [] }] })).toEqual([
      422,
      "/components/0/targets",
    ]);
    expect(await page({ components: [{ ...settings.components[0], id: "abc" }] })).toEqual([
      422,
      "/components/0/id",
    ]);
    await send(api, "PUT", "/api/status-page?project=other", { ...settings, slug: "theirs", components: [] });
    expect(await page({ slug: "theirs" })).toEqual([409, "/slug"]);
    const note = { kind: "incident", title: { en: "x" }, body: { en: "x" } };
    expect(await faults("POST", "/api/status-notes", { ...note, components: ["abc"] })).toEqual([
      422,
      "/components/0",
    ]);
    expect(await faults("POST", "/api/status-notes", { ...note, body: { en: "" } })).toEqual([422, "/body"]);
    const window = { startsAt: "2026-12-01T10:00:00Z", endsAt: "2026-12-01T10:00:00Z" };
    expect(await faults("POST", "/api/status-notes", { ...note, kind: "maintenance", ...window })).toEqual([
      422,
      "/endsAt",
    ]);
    expect(
      await faults("POST", "/api/status-notes/none/updates", { state: "resolved", body: { en: "x" } }),
    ).toEqual([404]);
  });
});

describe("Statuspage's readers", () => {
  it("find every file in the shape that is documented, and as the contract says", async () => {
    const { components } = await put();
    await send(api, "POST", "/api/status-notes", {
      kind: "incident",
      title: { en: "Slow" },
      components: [components[0]?.id],
      state: "monitoring",
      body: { en: "Better." },
    });
    await send(api, "POST", "/api/status-notes", {
      kind: "maintenance",
      title: { en: "Later" },
      startsAt: new Date(NOW + MINUTE).toISOString(),
      endsAt: new Date(NOW + 2 * MINUTE).toISOString(),
      body: { en: "Soon." },
    });
    for (const file of FILES) {
      const answer = await json(file);
      expect(STATUSPAGE_SHAPES[file].parse(answer), file).toBeDefined();
      const route = contract.STATUS_ROUTES.find(({ path }) => path === `/status/:slug/api/v2/${file}`);
      expect(route?.answer.schema?.parse(answer)).toEqual(answer);
    }
    const { incidents, components: shown, status } = await json("summary.json");
    expect(shown.map(({ status: one }: { status: string }) => one)).toEqual([
      "partial_outage",
      "operational",
      "major_outage",
      "operational",
      "operational",
    ]);
    expect(shown[3].description).toContain("too few requests");
    expect(status.indicator).toBe("major");
    // The note, and the busy time that was measured.
    expect(incidents.map(({ name }: { name: string }) => name)).toEqual(["Slow", "Chat: very busy"]);
  });

  it("of npm read it without a change", async () => {
    const reader = new Statuspage("none");
    reader.setApiUrl(`${api.url}/status/acme`);
    const summary = await reader.api.getSummary();
    const { components } = summary as unknown as { components: { name: string }[] };
    expect(components.map(({ name }) => name)).toEqual(["Chat", "Summaries", "Voice", "Elsewhere", "Search"]);
    expect((await reader.api.getStatus()).status.indicator).toBe("major");
    expect((await reader.api.getComponents()).components).toHaveLength(5);
    expect((await reader.api.incidents.getAll()).incidents.length).toBeGreaterThan(1);
    const [open1] = (await reader.api.incidents.getUnresolved()).incidents;
    expect(open1?.incident_updates[0]?.status).toBe("monitoring");
    const planned = (await reader.api.scheduledMaintenances.getUpcoming()).scheduled_maintenances;
    expect(planned.map(({ name }) => name)).toEqual(["Later"]);
  });

  it("of feeds read Atom and RSS, whose entries keep their ids", async () => {
    const atom = await text("/history.atom");
    const rss = await text("/history.rss");
    for (const document of [atom, rss]) checkXml(document);
    const fromAtom = parseFeed(atom);
    const fromRss = parseFeed(rss);
    if (fromAtom.format !== "atom" || fromRss.format !== "rss") throw new Error("they are other feeds");
    expect([fromAtom.feed.title?.value, fromRss.feed.title]).toEqual(["Acme: status", "Acme: status"]);
    const ids = fromAtom.feed.entries?.map(({ id }) => id) ?? [];
    expect(fromRss.feed.items?.map(({ guid }) => guid?.value)).toEqual(ids);
    expect(fromAtom.feed.entries?.map(({ title }) => title?.value).sort()).toEqual([
      "Chat: very busy",
      "Later",
      "Slow",
    ]);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^tag:127\.0\.0\.1,2026-11-\d\d:busyhour-status\/\w+$/);
    await put({ slug: "acme-two" });
    const moved = await (await fetch(`${api.url}/status/acme-two/history.atom`)).text();
    for (const id of ids) expect(moved).toContain(id);
    await put();
  });
});

describe("names that want to be markup", () => {
  const hostile = [
    "<script>alert(1)</script>",
    "\"'><img src=x onerror=alert(1)>",
    "]]><!--",
    "&lt;b&gt;&amp;",
    "\u202e\ufffe\uffff",
  ];

  it("are texts everywhere", async () => {
    for (const name of hostile) {
      const { components } = await put({
        name: { en: name, zh: name },
        about: { en: name },
        components: [{ name: { en: name }, about: { en: name }, mode: "manual", targets: [] }],
      });
      const note: NoteRecord = await send(api, "POST", "/api/status-notes", {
        kind: "incident",
        title: { en: name },
        components: [components[0]?.id],
        body: { en: `${name}\n\n${name}` },
      });
      const page = await text("");
      const template = page.replace(/<script src="\/status\/-\/zone\.[\w-]+\.js"><\/script>/, "");
      expect(template).not.toMatch(/<script|<img|<!--|&(?!(?:amp|lt|gt|quot|#39);)/);
      expect(template).not.toContain("<b>&");
      for (const path of ["/history.atom", "/history.rss", "/badge.svg"]) {
        const document = await text(path);
        checkXml(document);
        expect(document).not.toMatch(/<script|<img|<!--/);
      }
      expect((await json("summary.json")).incidents[0].id).toBe(note.id);
      await send(api, "DELETE", `/api/status-notes/${note.id}`);
    }
    await put();
  });

  it("of any letters make pages that close what they open", async () => {
    const letters = fc
      .string({ unit: "binary", minLength: 1, maxLength: 40 })
      .filter((name) => name.trim() !== "" && !/\p{Cc}/u.test(name) && !/[\u2028\u2029]/.test(name));
    await fc.assert(
      fc.asyncProperty(letters, async (name) => {
        await put({ name: { en: name }, components: [{ name: { en: name }, mode: "manual", targets: [] }] });
        checkXml(await text("/history.atom"));
        checkXml(await text("/badge.svg"));
        const page = await text("");
        expect(page.match(/<script/g)).toHaveLength(1);
        expect(page.match(/<div class="head"><h3>/g)).toHaveLength(1);
      }),
      { numRuns: 25, seed: 11 },
    );
    await put();
  });
});
