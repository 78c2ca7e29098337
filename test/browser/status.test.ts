import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createEpisodeJobs } from "../../server/episodes/job.ts";
import { anEvent } from "../support/events.ts";
import { ADMIN_TOKEN, startTestServer } from "../support/server.ts";
import { listViolations } from "./axe.ts";
import { fillStatusPage } from "./status.ts";
import { launchBrowser, NOW } from "./support.ts";

/** Without built pages: a status page needs none of them. */
const api = await startTestServer({ nowMs: NOW });
let browser: Browser;

beforeAll(async () => {
  // Every minute of 21 days, busy from 13:00 to 18:00 UTC.
  const calls = Array.from({ length: 21 * 1_440 }, (_, i) => {
    const atMs = NOW - i * 60_000;
    const hour = new Date(atMs).getUTCHours();
    return anEvent({
      occurredAt: new Date(atMs).toISOString(),
      provider: "openai",
      model: "gpt-5",
      outcome: hour >= 13 && hour < 18 && i % 4 === 0 ? "capacity" : "ok",
    });
  });
  for (let i = 0; i < calls.length; i += 5_000) await api.post(calls.slice(i, i + 5_000));
  await api.catchUp();
  await createEpisodeJobs(api.server.core.jobSql).runLive(NOW);
  await fillStatusPage({ url: api.url, token: ADMIN_TOKEN }, "default");
  browser = await launchBrowser();
}, 240_000);

afterAll(() => browser?.close());

interface Visit {
  readonly path: string;
  readonly hasScripts?: boolean;
  readonly locale?: string;
}

async function open(
  { path, hasScripts = true, locale = "en-GB" }: Visit,
  use: (page: Page) => Promise<void>,
) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    colorScheme: "light",
    locale,
    timezoneId: "Asia/Shanghai",
    javaScriptEnabled: hasScripts,
  });
  try {
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on("console", (message) => complaints.push(message.text()));
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(api.url + path);
    await use(page);
    // A policy that was broken would be told of here.
    expect(complaints.filter((text) => !text.startsWith("Failed to load resource"))).toEqual([]);
  } finally {
    await context.close();
  }
}

const LOOKS = [
  ["light", 1440],
  ["dark", 390],
] as const;

describe("a status page in a browser", () => {
  const states = {
    "90 days, with hours": "/status/atlas?zone=Europe/Berlin",
    "24 hours, in Chinese": "/status/atlas?zone=Europe/Berlin&lang=zh&range=24h",
    none: "/status/nowhere",
  };
  for (const [name, path] of Object.entries(states)) {
    it(`has no violation, light and dark, and fits from 320 px on: ${name}`, async () => {
      await open({ path }, async (page) => {
        const hours = page.locator("details.hours summary").first();
        if ((await hours.count()) > 0) await hours.click();
        for (const [theme, width] of LOOKS) {
          await page.emulateMedia({ colorScheme: theme });
          await page.setViewportSize({ width, height: 900 });
          expect([theme, width, ...(await listViolations(page))]).toEqual([theme, width]);
        }
        for (const width of [768, 360, 320]) {
          await page.setViewportSize({ width, height: 900 });
          await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
        }
      });
    });
  }

  it("opens in the reader's zone, and in the one of the address", async () => {
    await open({ path: "/status/atlas" }, async (page) => {
      await page.waitForURL(/zone=Asia%2FShanghai/);
      await page.getByText("As of Thu 26 Nov, 02:30.").waitFor();
    });
    await open({ path: "/status/atlas?zone=UTC" }, async (page) => {
      await page.getByText("As of Wed 25 Nov, 18:30.").waitFor();
    });
  });

  it("does all of it without a script", async () => {
    await open({ path: "/status/atlas", hasScripts: false, locale: "zh-CN" }, async (page) => {
      expect(await page.locator("html").getAttribute("lang")).toBe("zh-CN");
      await page.getByRole("link", { name: "English" }).click();
      await page.getByText("As of Wed 25 Nov, 18:30.").waitFor();
      await page.getByRole("link", { name: "7 days" }).click();
      expect(
        await page
          .getByRole("list", { name: "Chat, best answers, last 7 days" })
          .getByRole("listitem")
          .count(),
      ).toBe(84);
      await page.getByLabel("Time zone").fill("Europe/Berlin");
      await page.getByRole("button", { name: "Show" }).click();
      await page.getByText("As of Wed 25 Nov, 19:30.").waitFor();
      // The period stays what it was.
      expect(new URL(page.url()).searchParams.get("range")).toBe("7d");
      expect(await page.locator("details.hours summary").first().textContent()).toBe(
        "Usually busy every day 14:00–19:00",
      );
      await page.locator("details.hours summary").first().click();
      await page.getByRole("table", { name: /Chat, best answers by hour of day/ }).waitFor();
    });
  });

  it("says each bar in words", async () => {
    await open({ path: "/status/atlas?zone=UTC&range=24h" }, async (page) => {
      const bars = page
        .getByRole("list", { name: "Chat, best answers, last 24 hours" })
        .getByRole("listitem");
      const texts = await bars.allInnerTexts();
      expect(texts.slice(-2)).toEqual(["18:00–18:30: available", "18:30–19:00 (so far): not enough data"]);
      expect(texts.filter((text) => text.includes("very busy")).length).toBeGreaterThan(8);
    });
  });
});
