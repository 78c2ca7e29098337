import type { Browser, Page, Request } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { EXAMPLES } from "../../web/src/features/errors/examples.ts";
import { createTestDatabase } from "../support/database.ts";
import {
  ADMIN_TOKEN,
  type Dashboard,
  type Look,
  launchBrowser,
  postSpans,
  startDashboard,
  visit,
} from "./support.ts";
import { withPageOf } from "./with-page.ts";

let dashboard: Dashboard;
let browser: Browser;

beforeAll(async () => {
  dashboard = await startDashboard(await createTestDatabase());
  browser = await launchBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
});

const withPage = (look: Look, use: (page: Page) => Promise<void>) => withPageOf(browser, look, use);

const place = (path: string) => dashboard.url + path;
/** Terms and what stands beside them, of the first verdict. */
async function readFacts(page: Page) {
  const facts = page.locator("article dl").first();
  await facts.waitFor();
  return facts
    .locator("div")
    .evaluateAll((rows) =>
      Object.fromEntries(
        rows.map((row) => [row.querySelector("dt")?.textContent, row.querySelector("dd")?.textContent]),
      ),
    );
}
const paste = (page: Page, text: string) => page.locator("textarea").first().fill(text);

describe("naming an error", () => {
  it("says what it is, why, and what to do, and sends nothing of it anywhere", () =>
    withPage({}, async (page) => {
      await visit(page, place("/errors?project=default"));
      const sent: Request[] = [];
      page.on("request", (request) => sent.push(request));
      await paste(page, EXAMPLES.full);
      await page.getByRole("heading", { name: /^capacity error/ }).waitFor();
      await page.getByText("The provider's shared capacity for this model is full.").waitFor();
      expect(await readFacts(page)).toEqual({
        Kind: "soft: it passes by itself",
        "The same call again": "worth it after the stated wait",
        "Stated wait": "12 secs",
        Concerns: "this model",
        "Another model or provider": "may answer",
        Status: "429",
        "Provider's code": "engine_overloaded_error",
        Rule: "generic/capacityThe provider has no room for now.",
      });
      expect(sent.map((request) => request.url())).toEqual([]);
      expect(page.url()).toBe(place("/errors?project=default"));
    }));

  it("takes provider and status from beside the error, and refuses what is no status", () =>
    withPage({}, async (page) => {
      await visit(page, place("/errors?project=default"));
      await paste(page, '{"error":{"code":"1113"}}');
      await page.getByLabel("Provider, if you know it").fill("zhipu");
      await page.getByRole("heading", { name: /^quota used up/ }).waitFor();
      await page.getByLabel("HTTP status, if you know it").fill("42");
      await page.getByText("A status is a number from 100 to 599.").waitFor();
      await page.getByLabel("HTTP status, if you know it").fill("429");
      await page.getByText("A status is a number").waitFor({ state: "detached" });
      expect(await readFacts(page)).toMatchObject({ Status: "429", "The same call again": "hopeless" });
    }));

  it("reads line by line, in Chinese too, and says which line is wrong", () =>
    withPage({ language: "zh" }, async (page) => {
      await visit(page, place("/errors?project=default"));
      await paste(page, '{"id":"a","status":401,"body":""}\n{"id":"b","status":"x","body":""}');
      await page.getByText("第 2 行的 status 不是 100 到 599 之间的数字。").waitFor();
      await page.getByRole("heading", { name: /^密钥无效/ }).waitFor();
      expect(await readFacts(page)).toMatchObject({ 原样重试: "无用", 影响范围: "你在该服务商的账户" });
    }));

  it("works for who is not signed in", () =>
    withPage({ isSignedIn: false }, async (page) => {
      await page.goto(place("/models"));
      await page.getByRole("link", { name: "Or name an error without signing in" }).click();
      await page.getByRole("button", { name: "Three" }).click();
      await page.getByRole("heading", { name: /^quota used up/ }).waitFor();
      expect(await page.getByText("Rules of your own").count()).toBe(0);
    }));
});

describe("rules of one's own", () => {
  const rules = (page: Page) => page.getByLabel("Rules as JSON");

  it("are refused with the fault beside them, then saved, and named by at once", () =>
    withPage({}, async (page) => {
      await visit(page, place("/errors?project=default"));
      await paste(page, "418 the proxy is taking a nap");
      expect((await readFacts(page))["Rule"]).not.toContain("our-proxy/nap");

      await rules(page).fill("{");
      await page.getByRole("button", { name: "Save rules" }).click();
      await page.getByText(/^This is no JSON: /).waitFor();
      await page.getByRole("button", { name: "Discard changes" }).click();

      await page.getByRole("button", { name: "Put in an example" }).click();
      const good = await rules(page).inputValue();
      await rules(page).fill(good.replace('"capacity"', '"nap"'));
      await page.getByRole("button", { name: "Save rules" }).click();
      const fault = page.getByRole("alert").getByRole("listitem");
      expect(await fault.textContent()).toMatch(/^Rule 1 \(our-proxy\/nap\) outcome must be one of /);
      await fault.getByRole("button", { name: "Mark it in the text" }).click();
      const marked = await page.evaluate(() => getSelection()?.toString());
      expect(JSON.parse(marked ?? "")).toMatchObject({ outcome: "nap" });

      await rules(page).fill(good);
      await page.getByRole("button", { name: "Save rules" }).click();
      await page.getByText("Saved: one rule holds from now on.").waitFor();
      await page.getByRole("heading", { name: /^capacity error/ }).waitFor();
      expect((await readFacts(page))["Rule"]).toBe(
        "our-proxy/nap (your own rule) Our proxy says so when it has no room.",
      );
      await page.reload();
      await page.getByText("Asked first: the rule of this project's own.").waitFor();
      expect(await rules(page).inputValue()).toBe(good);
    }));

  it("are shown, and not to be changed, to who may only read", async () => {
    const answer = await fetch(place("/api/keys"), {
      method: "POST",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      body: JSON.stringify({ kind: "read", name: "reader" }),
    });
    const { key } = (await answer.json()) as { key: string };
    await withPage({ isSignedIn: false }, async (page) => {
      await page.setExtraHTTPHeaders({ authorization: `Bearer ${key}` });
      await visit(page, place("/errors?project=default"));
      await page.getByLabel("Only admins of this project may change them.").waitFor();
      expect(await page.getByRole("button", { name: "Save rules" }).count()).toBe(0);
    });
  });
});

describe("what sources do not show", () => {
  it("is told with its remedy, by what is known of the instrument and by what came", () =>
    withPage({}, async (page) => {
      const answers = [
        await postSpans(dashboard, { service: "checkout", instrument: "gen_ai", count: 3 }),
        await postSpans(dashboard, { service: "search", instrument: "my.own", count: 1_000 }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([200, 200]);
      await dashboard.catchUp();
      await visit(page, place("/sources?project=default"));
      const spots = page.getByRole("region", { name: "What these sources do not show" });
      const texts = (await spots.locator("dl > div").allTextContents()).sort();
      expect(texts).toEqual([
        expect.stringMatching(/^checkoutRetried attempts are missing: gen_ai makes one record of all/),
        expect.stringMatching(/^searchProbably: failures are missing: 1,000 calls and not one failure\./),
        expect.stringMatching(/^searchProbably: retried attempts are missing: my\.own makes one record/),
      ]);
      const row = page.getByRole("row", { name: /search/ });
      expect(await row.locator("td").last().textContent()).toBe("retries missingfailures missing");
    }));
});
