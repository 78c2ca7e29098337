import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import {
  type Dashboard,
  fillSample,
  type Look,
  launchBrowser,
  NOW,
  startDashboard,
  visit,
  webFolder,
} from "./support.ts";
import { withPageOf } from "./with-page.ts";

const FIRST_VIEW_BYTES = 130 * 1024;

let dashboard: Dashboard;
let browser: Browser;

beforeAll(async () => {
  const database = await createTestDatabase();
  dashboard = await startDashboard(database);
  await fillSample(dashboard, 29);
  browser = await launchBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
});

const withPage = (look: Look, use: (page: Page) => Promise<void>) => withPageOf(browser, look, use);

const textOf = async (locator: Locator) => (await locator.textContent()) ?? "";
const at = (place: string) => dashboard.url + place;

describe("the first view", () => {
  it("weighs at most 130 kB", () =>
    withPage({}, async (page) => {
      const names = new Set<string>();
      page.on("request", (request) => {
        const { pathname } = new URL(request.url());
        if (/\.(?:js|css)$/.test(pathname)) names.add(pathname);
      });
      await visit(page, at("/?project=sample"));
      const files = ["index.html", ...names];
      const bytes = files.map((file) => gzipSync(fs.readFileSync(path.join(webFolder, file))).length);
      const sum = bytes.reduce((total, size) => total + size, 0);
      expect(names.size).toBeGreaterThan(1);
      expect(sum).toBeLessThanOrEqual(FIRST_VIEW_BYTES);
    }));

  it("is drawn whole: sentence, tiles and grid", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      await page.locator("li[data-state]").first().waitFor();
      expect(await page.locator("[role=grid] td[aria-label]").count()).toBe(168);
      expect(await page.locator("li[data-state]").count()).toBeGreaterThan(5);
    }));

  it("shows the sample, clearly marked, to whoever has no calls yet", () =>
    withPage({}, async (page) => {
      await visit(page, at("/"));
      expect(new URL(page.url()).searchParams.get("project")).toBe("sample");
      await expect(page.getByText("Sample data: made-up traffic").count()).resolves.toBe(1);
      await page.getByRole("button", { name: "Show my data" }).click();
      await page.getByRole("heading", { name: "No calls yet" }).waitFor();
    }));
});

describe("when to run", () => {
  it("says it in a sentence, proves it one step deeper, and outlines the hours in the week", () =>
    withPage({}, async (page) => {
      await visit(page, at("/advice?project=sample"));
      const card = page.locator("li", { has: page.getByRole("heading", { name: /^claude-opus-4-5/ }) });
      const [, from = ""] = /Run it (\d\d):00–/.exec(await textOf(card)) ?? [];
      await card.getByText("How sure is that?").click();
      expect(await card.getByRole("row").count()).toBeGreaterThan(1);
      await card.getByRole("button", { name: "Show in the week" }).click();
      const hours = page.locator("[role=grid] td[aria-label*=', recommended: ']");
      await page.getByRole("gridcell", { name: new RegExp(`^Monday ${from}:00.*, recommended: `) }).waitFor();
      expect(await hours.count()).toBe(7 * 3);
      await page.getByLabel("Length").selectOption("2");
      await page.waitForFunction(
        () => document.querySelectorAll("[role=grid] td[aria-label*=', recommended: ']").length === 14,
      );
    }));
});

describe("episodes", () => {
  it("are listed, and why is told in order, in one's language", () =>
    withPage({ language: "zh" }, async (page) => {
      await visit(page, at("/episodes?project=sample"));
      await page
        .getByRole("button", { name: /为什么容量不足/ })
        .first()
        .click();
      const dialog = page.getByRole("dialog");
      await dialog.getByRole("heading", { name: "确实是容量问题吗？" }).waitFor();
      expect(await dialog.locator("ol > li").count()).toBe(6);
      await page.keyboard.press("Escape");
      // The browser closes the dialog by itself; the page hears of it a moment later.
      await page.waitForURL((url) => !url.searchParams.has("episode"));
    }));
});

describe("the busy-hours grid", () => {
  const focused = (page: Page) =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? "");

  it("is one tab stop, and is walked through with the arrows", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      await expect(page.locator("[role=grid] td[tabindex='0']").count()).resolves.toBe(1);
      await page.getByText("Requests", { exact: true }).focus();
      await page.keyboard.press("Tab");
      // The stop is the hour that it is now: Wednesday, 13:00 in New York.
      expect(await focused(page)).toMatch(/^Wednesday 13:00–14:00: /);
      for (const [key, hour] of [
        ["ArrowRight", "Wednesday 14:00"],
        ["ArrowDown", "Thursday 14:00"],
        ["Home", "Thursday 00:00"],
        ["End", "Thursday 23:00"],
        ["PageUp", "Monday 23:00"],
        ["PageDown", "Sunday 23:00"],
        ["ArrowRight", "Sunday 23:00"],
      ] as const) {
        await page.keyboard.press(key);
        expect(await focused(page)).toMatch(new RegExp(`^${hour}`));
      }
      await expect(page.locator("[role=grid] td[tabindex='0']").count()).resolves.toBe(1);
    }));

  it("says the same in the cell, to a listener, beside it, in the table and in every file", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      const answer = await dashboardJson("/api/heatmap?project=sample&zone=America/New_York");
      const cell = answer.cells[2 * 24 + 13];
      const spot = cellOf(page, 2, 13);
      await spot.hover();
      const share = `${(cell.rate * 100).toFixed(1)}\u202f%`;
      const counts = `${count(cell.k)} of ${count(cell.n)}`;
      const interval = `${(cell.low * 100).toFixed(1)}–${(cell.high * 100).toFixed(1)}\u202f%`;
      expect(await spot.getAttribute("aria-label")).toContain(`${share}, ${counts}`);
      const tip = page.getByRole("tooltip");
      for (const text of [
        "Wednesday 13:00–14:00",
        "America/New_York",
        share,
        counts,
        interval,
        "enough data",
      ])
        expect(await textOf(tip)).toContain(text);

      const panel = page.getByRole("region", { name: "Busy hours of the week", exact: true }).first();
      const keep = async (kind: string) => {
        await panel.getByRole("button", { name: /^Download/ }).click();
        const [download] = await Promise.all([
          page.waitForEvent("download"),
          panel.getByRole("button", { name: new RegExp(`^${kind}`) }).click(),
        ]);
        expect(download.suggestedFilename()).toBe(`busy-hours-of-the-week-2026-11-25.${kind.toLowerCase()}`);
        return fs.readFileSync((await download.path()) ?? "");
      };
      const lines = (await keep("CSV")).toString("utf8").split("\r\n");
      expect(lines[0]).toMatch(
        /^\uFEFF?# Busy hours of the week; project=sample; zone=America\/New_York; from=/,
      );
      expect(lines).toContain(
        ["Wednesday", "13:00", cell.rate, cell.k, cell.n, cell.low, cell.high, cell.state].join(","),
      );
      const json = JSON.parse((await keep("JSON")).toString("utf8"));
      expect(json.context).toMatchObject({ project: "sample", zone: "America/New_York", count: "attempts" });
      expect(json.rows[2 * 24 + 13]).toEqual({
        Day: "Wednesday",
        Hour: "13:00",
        Share: cell.rate,
        "Capacity errors": cell.k,
        Calls: cell.n,
        "Low (95 %)": cell.low,
        "High (95 %)": cell.high,
        Data: cell.state,
      });
      const svg = (await keep("SVG")).toString("utf8");
      const all = answer.cells.reduce((sum: number, { n }: { n: number }) => sum + n, 0);
      expect(svg).toContain(
        `All models · Last 28 days · per hour of week · America/New_York · n = ${count(all)}`,
      );
      expect(svg).toContain(`>${(cell.rate * 100).toFixed(1)}<`);
      const png = await keep("PNG");
      expect(png.subarray(1, 4).toString("latin1")).toBe("PNG");
      // Twice as wide as the drawing.
      expect(png.readUInt32BE(16)).toBe(2 * Number(/width="(\d+)"/.exec(svg)?.[1]));

      await panel.getByRole("button", { name: "View as table" }).click();
      const row = panel.getByRole("row").filter({ hasText: "Wednesday" }).filter({ hasText: "13:00" });
      expect(await row.locator("td").allTextContents()).toEqual(
        expect.arrayContaining([String(cell.k), String(cell.n), cell.state]),
      );
    }));

  it("keeps what it says beside a cell while one points at that, and sends it away by Escape", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      const tip = page.getByRole("tooltip");
      await cellOf(page, 2, 13).hover();
      // In sight, and so at its place.
      await tip.waitFor();
      const box = await tip.boundingBox();
      if (box === null) throw new Error("the tip is not drawn");
      await page.mouse.move(box.x + 2, box.y + 2);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      expect(await textOf(tip)).toContain("Wednesday 13:00");
      await page.keyboard.press("Escape");
      await tip.waitFor({ state: "detached" });
      await cellOf(page, 2, 13).focus();
      expect(await textOf(tip)).toContain("Wednesday 13:00");
    }));

  it("opens an hour by Enter and by a click: its times add up to the cell, and the address keeps it", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      await cellOf(page, 2, 13).focus();
      await page.keyboard.press("Enter");
      const sheet = page.getByRole("dialog", { name: "Wednesday 13:00–14:00" });
      await sheet.getByRole("row").nth(1).waitFor();
      const { cells } = await dashboardJson("/api/heatmap?project=sample&zone=America/New_York");
      const cell = cells[2 * 24 + 13];
      const counts = (await sheet.locator("tbody td:last-child").allTextContents()).map((text) =>
        text.replaceAll(",", "").split(" of ").map(Number),
      );
      const sum = (i: number) => counts.reduce((total, parts) => total + (parts[i] ?? 0), 0);
      expect([sum(0), sum(1)]).toEqual([cell.k, cell.n]);
      expect(await textOf(sheet)).toContain("capacity error");
      expect(await textOf(sheet)).toContain("Asked to wait");
      expect(new URL(page.url()).searchParams.get("hour")).toBe(String(2 * 24 + 13));

      await page.reload();
      await sheet.waitFor();
      await page.keyboard.press("Escape");
      await sheet.waitFor({ state: "detached" });
      expect(new URL(page.url()).searchParams.get("hour")).toBeNull();
      await cellOf(page, 0, 3).click();
      await page.getByRole("dialog", { name: "Monday 03:00–04:00" }).waitFor();
    }));

  it("compares each hour with the time before, when asked to", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample&range=7d"));
      await page.getByRole("button", { name: /^Range/ }).click();
      await page.getByLabel("Compare with").selectOption("A week earlier");
      await page.keyboard.press("Escape");
      const from = NOW - 14 * 86_400_000;
      const ask = (query: string) => dashboardJson(`/api/heatmap?project=sample&${query}`);
      const [now, then] = await Promise.all([
        ask(`from=${NOW - 7 * 86_400_000}`),
        ask(`from=${from}&to=${NOW - 7 * 86_400_000}`),
      ]);
      const [cell, before] = [now.cells[40], then.cells[40]];
      const points = Math.abs((cell.rate - before.rate) * 100).toFixed(1);
      const was = `was ${(before.rate * 100).toFixed(1)}\u202f% (${count(before.k)} of ${count(before.n)})`;
      await cellOf(page, 1, 16).hover();
      await page.getByRole("tooltip").getByText(`${points} points: ${was}`).waitFor();
    }));
});

const count = (value: number) => value.toLocaleString("en-GB");

/** A cell of the first grid: row and column from 0, without heads. */
const cellOf = (page: Page, row: number, column: number) =>
  page.locator("[role=grid] tbody tr").nth(row).locator("td").nth(column);

async function dashboardJson(place: string) {
  const response = await fetch(at(place), {
    headers: { authorization: "Bearer an-admin-token-for-browser-tests" },
  });
  return response.json();
}

describe("the URL", () => {
  it("holds range, zone, model and count, and a reload shows the same", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      await page.getByRole("button", { name: /^Range/ }).click();
      await page.getByRole("button", { name: "Last 7 days" }).click();
      await page.getByLabel("Time zone").selectOption("UTC");
      await page.getByRole("button", { name: /^gemini-2\.5-pro/ }).click();
      await page.getByText("Requests", { exact: true }).click();
      const { searchParams } = new URL(page.url());
      expect(Object.fromEntries(searchParams)).toEqual({
        project: "sample",
        range: "7d",
        zone: "UTC",
        provider: "google",
        model: "gemini-2.5-pro",
        endpoint: "us-central1",
        count: "requests",
      });
      await page.reload();
      await page.getByText("Last 7 days · per hour of week · UTC").waitFor();
      await expect(page.getByRole("radio", { name: "Requests" }).isChecked()).resolves.toBe(true);
    }));

  it("goes from page to page by keys, and keeps the range", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample&range=7d"));
      await page.keyboard.press("g");
      await page.keyboard.press("m");
      await page.getByRole("heading", { name: "Models", level: 2 }).waitFor();
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(
        "/models?project=sample&range=7d",
      );
      await page.keyboard.press("[");
      await page.waitForURL(/from=2026-11-11/);
    }));
});

describe("sources", () => {
  it("leads from a key over the snippet to the first event, and tells what was wrong with another", () =>
    withPage({}, async (page) => {
      await visit(page, at("/sources?project=default"));
      await page.getByText("Waiting for the first event").waitFor();
      await page.getByRole("button", { name: "Create key" }).click();
      const secret = page.locator("code", { hasText: /^bhi_/ }).first();
      const key = await textOf(secret);
      const snippet = await textOf(page.locator("pre"));
      expect(snippet).toContain(key);
      expect(await run("bash", ["-c", snippet])).toContain('"accepted":1');
      await dashboard.catchUp();
      await page.getByText("Received: 1 event").waitFor({ timeout: 10_000 });

      await dashboard.post([
        { source: "my-app", provider: "openai", occurredAt: new Date(NOW).toISOString() },
      ]);
      await dashboard.catchUp();
      await page
        .getByText(/\/model: /)
        .first()
        .waitFor({ timeout: 10_000 });

      await page.getByText("Python", { exact: true }).click();
      await run("python3", ["-c", await textOf(page.locator("pre"))]);
      await page.getByRole("button", { name: "Send a test event" }).click();
      await page.getByText("2 stored, 0 rejected").waitFor();

      await page.getByRole("button", { name: "Revoke my-app" }).click();
      await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click();
      await page.getByText(/^revoked /).waitFor();
    }));
});

/** Runs what a person would paste, and gives what it prints. The server is in this process, so nothing may block. */
async function run(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, [...args], { timeout: 20_000 });
  return stdout;
}

describe("when things go wrong", () => {
  it("tells a stranger how to sign in, and that a link was used up", () =>
    withPage({ isSignedIn: false }, async (page) => {
      await visit(page, at("/models"));
      await page.getByText("npx busyhour sign-in").waitFor();
      await visit(page, at("/?signIn=failed"));
      await page.getByRole("heading", { name: "This link does not work any more" }).waitFor();
    }));

  it("keeps what was there when the server goes away, with its age, and mends itself", () =>
    withPage({}, async (page) => {
      await visit(page, at("/models?project=sample"));
      await page.route(/\/api\//, (route) => route.abort());
      await page.clock.setFixedTime(NOW + 10 * 60_000);
      await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
      await page.getByText("The server does not answer.").waitFor();
      await page.getByText("Not up to date: as of 13:30.").first().waitFor();
      await expect(page.getByRole("link", { name: "gpt-5-mini" }).count()).resolves.toBe(1);
      await page.unroute(/\/api\//);
      await page.getByRole("button", { name: "Try again" }).first().click();
      await page.getByText("The server does not answer.").waitFor({ state: "detached" });
    }));

  it("offers the range that has calls where this one has none, on every page", () =>
    withPage({}, async (page) => {
      const empty = "from=2020-01-01T00:00Z&to=2020-01-02T00:00Z";
      const target = "provider=google&model=gemini-2.5-pro&endpoint=us-central1";
      const places = {
        [`/?project=sample&${empty}`]: "[role=grid]",
        [`/models?project=sample&${empty}`]: "tbody a",
        [`/model?project=sample&${target}&${empty}`]: "[role=grid]",
        [`/sources?project=sample&${empty}`]: "tbody th",
      };
      for (const [place, content] of Object.entries(places)) {
        await visit(page, at(place));
        await page
          .getByRole("button", { name: /^Show .*–/ })
          .first()
          .click();
        await page.waitForURL(/from=2026-/);
        await page.locator(content).first().waitFor();
        await page.getByRole("button", { name: /^Show .*–/ }).waitFor({ state: "detached" });
      }
    }));
});

describe("a range of one's own", () => {
  it("is told and taken on the clock of the zone that is looked at, not on the browser's", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample&zone=Asia/Kolkata"));
      await page.getByRole("button", { name: /^Range/ }).click();
      // Seven days up to 18:30 UTC, which is midnight there; the browser stands in Berlin.
      expect(await page.getByLabel("From", { exact: true }).inputValue()).toBe("2026-11-19T00:00");
      await page.getByLabel("From", { exact: true }).fill("2026-11-20T09:00");
      await page.getByLabel("To", { exact: true }).fill("2026-11-21T09:00");
      await page.getByRole("button", { name: "Apply" }).click();
      const { searchParams } = new URL(page.url());
      expect([searchParams.get("from"), searchParams.get("to")]).toEqual([
        "2026-11-20T03:30Z",
        "2026-11-21T03:30Z",
      ]);
    }));

  it("takes the first of two equal hours where clocks go back", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample&zone=Europe/Berlin"));
      await page.getByRole("button", { name: /^Range/ }).click();
      await page.getByLabel("From", { exact: true }).fill("2026-10-25T02:30");
      await page.getByLabel("To", { exact: true }).fill("2026-10-25T03:30");
      await page.getByRole("button", { name: "Apply" }).click();
      await page.waitForURL(/from=2026-10-25T00%3A30Z&project=sample&to=2026-10-25T02%3A30Z/);
    }));
});
