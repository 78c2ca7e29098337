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
  openContext,
  openPage,
  root,
  startDashboard,
  visit,
} from "./support.ts";

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

/** A page of its own in the test, whose complaints must be none. */
async function withPage(look: Look, use: (page: Page) => Promise<void>): Promise<void> {
  const context = await openContext(browser, look);
  const { page, complaints } = await openPage(context);
  try {
    await use(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}

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
      const bytes = files.map(
        (file) => gzipSync(fs.readFileSync(path.join(dashboard.webFolder, file))).length,
      );
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

describe("accessibility", () => {
  const axe = fs.readFileSync(path.join(root, "node_modules", "axe-core", "axe.min.js"), "utf8");
  const places = {
    now: "/?project=sample",
    "now without calls": "/?project=default",
    models: "/models?project=sample",
    model: "/model?project=sample&provider=openai&model=gpt-5&compare=before",
    sources: "/sources?project=default",
    "sources of the sample": "/sources?project=sample",
    "no such page": "/nowhere?project=sample",
  };

  for (const theme of ["light", "dark"] as const) {
    for (const width of [1440, 390]) {
      for (const [name, place] of Object.entries(places)) {
        it(`finds no violation: ${name}, ${theme}, ${width} px`, () =>
          withPage({ theme, width }, async (page) => {
            await visit(page, at(place));
            await page.evaluate(axe);
            const violations = await page.evaluate(async () => {
              // biome-ignore lint/suspicious/noExplicitAny: axe comes as a script
              const results = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
              return results.violations.map(
                (violation: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
                  `${violation.id}: ${violation.nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join("\n")}`,
              );
            });
            expect(violations).toEqual([]);
          }));
      }
    }
  }

  it("keeps a page within the screen down to 320 px", () =>
    withPage({ width: 320 }, async (page) => {
      for (const place of Object.values(places)) {
        await visit(page, at(place));
        const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([place, excess]).toEqual([place, 0]);
      }
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

  it("says the same in the cell, to a listener, in the readout, in the table and in the CSV", () =>
    withPage({}, async (page) => {
      await visit(page, at("/?project=sample"));
      const answer = await dashboardJson("/api/heatmap?project=sample&zone=America/New_York");
      const cell = answer.cells[2 * 24 + 13];
      const spot = page.locator("[role=grid] tbody tr").nth(2).locator("td").nth(13);
      await spot.hover();
      const count = (value: number) => value.toLocaleString("en-GB");
      const share = `${(cell.rate * 100).toFixed(1)}\u202f%`;
      const label = await spot.getAttribute("aria-label");
      expect(label).toContain(`${share}, ${count(cell.k)} of ${count(cell.n)}`);
      const readout = page.locator("p", { hasText: "Wednesday 13:00–14:00" }).first();
      expect(await textOf(readout)).toContain(share);
      expect(await textOf(readout)).toContain(`${count(cell.k)} of ${count(cell.n)}`);

      const panel = page.getByRole("region", { name: "Busy hours of the week", exact: true }).first();
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        panel.getByRole("button", { name: /as CSV/ }).click(),
      ]);
      const lines = fs.readFileSync((await download.path()) ?? "", "utf8").split("\r\n");
      expect(lines[0]).toMatch(
        /^\uFEFF?# Busy hours of the week; project=sample; zone=America\/New_York; from=/,
      );
      expect(lines).toContain(
        ["Wednesday", "13:00", cell.rate, cell.k, cell.n, cell.low, cell.high, cell.state].join(","),
      );
      await panel.getByRole("button", { name: "View as table" }).click();
      const row = panel.getByRole("row").filter({ hasText: "Wednesday" }).filter({ hasText: "13:00" });
      expect(await row.locator("td").allTextContents()).toEqual(
        expect.arrayContaining([String(cell.k), String(cell.n), cell.state]),
      );
    }));
});

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

  it("offers the range that has calls where this one has none", () =>
    withPage({}, async (page) => {
      await visit(page, at("/models?project=sample&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z"));
      await page.getByRole("button", { name: /^Show .*–/ }).click();
      await page.getByRole("link", { name: "gpt-5-mini" }).waitFor();
    }));
});
