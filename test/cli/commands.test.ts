import { execFileSync } from "node:child_process";
import fs from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createShell } from "./support.ts";

const shell = createShell();
const hourAgo = new Date(Date.now() - 3_600_000).toISOString();

const line = (i: number) =>
  JSON.stringify({
    occurredAt: hourAgo,
    provider: "acme",
    model: "m",
    outcome: i % 4 === 0 ? "capacity" : "ok",
    latencyMs: i,
  });

function write(name: string, lines: readonly string[]): string {
  const file = path.join(shell.folder, name);
  fs.writeFileSync(file, `${lines.join("\n")}\n`);
  return file;
}

/** Processes whose command line names the test's folder. */
function listLeftovers(): string[] {
  return execFileSync("ps", ["-eo", "args"], { encoding: "utf8" })
    .split("\n")
    .filter((args) => args.includes(shell.folder) && !args.startsWith("ps "));
}

describe("the commands", { timeout: 120_000 }, () => {
  it("import into a data folder that no server uses, and repeat without doubling", async () => {
    const file = write(
      "calls.ndjson",
      Array.from({ length: 3_000 }, (_, i) => line(i)),
    );
    const first = await shell.run(["import", file]);
    expect([first.code, first.stdout.replaceAll(/\s+/g, " ")]).toEqual([
      0,
      expect.stringContaining("accepted 3,000"),
    ]);
    write("calls.ndjson", [...Array.from({ length: 3_000 }, (_, i) => line(i)), line(9_999)]);
    const again = await shell.run(["import", file]);
    expect(again.stdout.replaceAll(/\s+/g, " ")).toContain("accepted 1 duplicates 3,000");
    const bad = write("bad.ndjson", [
      line(0).replace('"m"', '"\\ud83d"'),
      line(0).replace('"m"', '"a\\u0000"'),
    ]);
    const refused = await shell.run(["import", bad]);
    expect([refused.code, refused.stdout]).toEqual([
      3,
      expect.stringContaining("2 × /model holds U+0000 or half"),
    ]);
    expect(listLeftovers()).toEqual([]);
  });

  it("start serves what was imported, refuses a second server, and stops without a trace", async () => {
    const server = shell.start(["start"]);
    const [, url = "", token = ""] = await server.until(/(http:\/\/127\.0\.0\.1:\d+)\/sign-in\?token=(\S+)/);
    const signedIn = await fetch(`${url}/sign-in?token=${token}`, { redirect: "manual" });
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const overview = await (await fetch(`${url}/api/overview`, { headers: { cookie } })).json();
    expect(overview.total).toMatchObject({ attempts: 3_001, capacity: { k: 750 } });

    const second = await shell.run(["start"]);
    expect([second.code, second.stderr]).toEqual([1, expect.stringMatching(/in use by .*process \d+/)]);
    const samePlace = await shell.run(["start"], "", { PORT: new URL(url).port });
    expect([samePlace.code, samePlace.stderr]).toEqual([
      1,
      expect.stringMatching(/^Busyhour runs here already: .*\nnpx busyhour sign-in makes a link/),
    ]);

    const grid = await shell.run(["heatmap", "--model", "m", "--zone", "utc"]);
    expect([grid.code, grid.stdout]).toEqual([0, expect.stringContaining("In all 750 of 3,001 attempts.")]);
    expect(grid.stdout).toMatch(/\n {2}\w{3} \d\d:00–\d\d:00 {2}750 of 3,001 +25\.0 % /);
    const json = JSON.parse((await shell.run(["heatmap", "--json", "--zone", "utc"])).stdout);
    expect([json.zone, json.cells.length]).toEqual(["UTC", 168]);
    const misspelt = await shell.run(["heatmap", "--model", "M"]);
    expect([misspelt.code, misspelt.stdout]).toEqual([0, ""]);
    expect(misspelt.stderr).toContain("No such call in this time");
    expect(misspelt.stderr).toContain("Models there are: m.");
    const nowhere = await shell.run(["heatmap", "--zone", "Mars"]);
    expect([nowhere.code, nowhere.stderr]).toEqual([
      1,
      expect.stringContaining("?zone is no IANA time zone"),
    ]);

    const why = await shell.run(["diagnose", "--model", "m", "--zone", "utc"]);
    expect([why.code, why.stdout]).toEqual([
      0,
      expect.stringMatching(/^m: 25\.0 % \(750 of 3,001\)[\s\S]*\n1\. .*\n {3}Yes/),
    ]);
    const nothing = await shell.run(["export", "litellm"]);
    expect([nothing.code, nothing.stderr]).toEqual([
      1,
      expect.stringContaining("There is no chain to export"),
    ]);

    const made = await shell.run(["keys", "create", "read", "--name", "a script"]);
    const key = made.stdout.trim();
    expect(key).toMatch(/^bhr_[\w-]{43}$/);
    const me = () => fetch(`${url}/api/me`, { headers: { authorization: `Bearer ${key}` } });
    expect((await me()).status).toBe(200);
    const list = await shell.run(["keys", "list"]);
    expect(list.stdout).toContain("a script");
    expect(list.stdout).not.toContain(key);
    await shell.run(["keys", "revoke", list.stdout.split("\t")[0] ?? ""]);
    expect((await me()).status).toBe(401);

    const imported = await shell.run(["import", "-"], `${line(10_000)}\n`);
    expect(imported.stdout.replaceAll(/\s+/g, " ")).toContain("accepted 1");
    expect(imported.stdout).toContain(url);
    const link = (await shell.run(["sign-in"])).stdout.trim();
    expect((await fetch(link, { redirect: "manual" })).headers.get("location")).toBe("/");

    server.process.kill("SIGTERM");
    expect((await server.finished).code).toBe(0);
    expect(listLeftovers()).toEqual([]);
    expect(fs.existsSync(path.join(shell.folder, "data", "server.json"))).toBe(false);
    expect(fs.existsSync(path.join(shell.folder, "data", "postgres", "postmaster.pid"))).toBe(false);
  });

  it("rebuild gives the same figures as before", async () => {
    const rebuilt = await shell.run(["rebuild"]);
    expect([rebuilt.code, rebuilt.stderr]).toEqual([
      0,
      expect.stringMatching(/Recomputing 1 day [\s\S]*Done: [12] minutes? recomputed/),
    ]);
    const bad = await shell.run(["rebuild", "--from", "yesterday"]);
    expect([bad.code, bad.stderr]).toEqual([1, expect.stringContaining("/from must be ISO 8601")]);
  });

  it("classification-rules and reclassify name stored failures anew, and only where nobody else named them", async () => {
    const failure = (parts: Record<string, unknown>) =>
      JSON.stringify({ occurredAt: hourAgo, provider: "acme", model: "napping", httpStatus: 418, ...parts });
    const nap = { error: { message: "The gnome is taking a nap" } };
    const file = write("naps.ndjson", [failure(nap), failure({ ...nap, outcome: "timeout" })]);
    expect((await shell.run(["import", file])).code).toBe(0);
    const rule = { id: "gnome/nap", outcome: "capacity", because: "It says so.", text: "taking a nap" };
    const set = await shell.run(["classification-rules", "-"], JSON.stringify({ rules: [rule] }));
    expect([set.code, set.stderr]).toEqual([0, expect.stringContaining("1 rule holds from now on")]);
    expect(JSON.parse((await shell.run(["classification-rules"])).stdout)).toEqual({ rules: [rule] });

    const wouldBe = await shell.run(["reclassify", "--dry-run"]);
    expect([wouldBe.code, wouldBe.stdout]).toEqual([0, expect.stringMatching(/^1\t\w+ → capacity\n$/)]);
    expect(wouldBe.stderr).toContain("1 attempts looked at, 1 would get another outcome");
    const done = await shell.run(["reclassify", "--from", "2026-01-01T00:00:00Z"]);
    expect([done.code, done.stdout]).toEqual([0, wouldBe.stdout]);

    for (const [input, words] of [
      ["{", /is no JSON/],
      ['{"rules":[{"id":"nap"}]}', /\/rules\/0\/id/],
    ] as const) {
      const bad = await shell.run(["classification-rules", "-"], input);
      expect([bad.code, bad.stderr]).toEqual([1, expect.stringMatching(words)]);
    }
    expect((await shell.run(["classification-rules", "nowhere.json"])).stderr).toContain("cannot be read");
  });

  it("say what is wrong, in words and with exit code 1", async () => {
    const cases: [string[], RegExp][] = [
      [["import", "no-such-file.ndjson"], /no such file/],
      [["keys", "list", "--url", "http://127.0.0.1:9", "--key", "x"], /does not answer/],
      [["keys", "list", "--url", "nowhere", "--key", "x"], /is no address/],
      [["keys", "list", "--url", "http://127.0.0.1:9"], /needs a key/],
      [["keys", "list", "--project", "nothing"], /no such project/],
      [["sign-in"], /No server runs on this data folder/],
      [["demo", "--remove"], /no sample project/],
    ];
    for (const [args, words] of cases) {
      const { code, stderr } = await shell.run(args);
      expect([args, code, stderr]).toEqual([args, 1, expect.stringMatching(words)]);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});

describe("a port in use", { timeout: 120_000 }, () => {
  it("is told before a database is made", async () => {
    const holder = net.createServer();
    await new Promise<void>((resolve) => holder.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void holder.close());
    const { port } = holder.address() as net.AddressInfo;
    const other = createShell({ PORT: String(port) });
    const { code, stderr } = await other.run(["start"]);
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        new RegExp(`PORT: ${port} .* in use by process ${process.pid} \\(.*PORT=${port + 1}`),
      ),
    ]);
    expect(fs.existsSync(path.join(other.folder, "data"))).toBe(false);
  });
});

describe("bad surroundings", { timeout: 120_000 }, () => {
  it("are told in words before anything starts", async () => {
    const cases: [Record<string, string>, RegExp][] = [
      [{ PORT: "eighty" }, /PORT: must be a whole number/],
      [{ DATABASE_URL: "mysql://localhost/x" }, /DATABASE_URL/],
      [{ DATABASE_URL: "postgres://u:geheim@127.0.0.1:9/x" }, /127\.0\.0\.1:9/],
      [{ BUSYHOUR_ADMIN_TOKEN: "short" }, /BUSYHOUR_ADMIN_TOKEN/],
    ];
    for (const [environment, words] of cases) {
      const { code, stderr } = await createShell(environment).run(["start"]);
      expect([code, stderr]).toEqual([1, expect.stringMatching(words)]);
      expect(stderr).not.toContain("geheim");
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});
