import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type App, buildPackageBeforeAll, startApp } from "../sdk/support.ts";
import { createTestDatabase } from "../support/database.ts";
import { samplePlan, send } from "./plans.ts";
import { ADMIN_TOKEN, type Dashboard, launchBrowser, startDashboard, visit } from "./support.ts";
import { withPageOf } from "./with-page.ts";

buildPackageBeforeAll();
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

/** An app whose router asks all the time, and that prints each change of what serves it. */
const startRouter = (): App =>
  startApp(`
import { createRouter } from "@busyhour/sdk";
const router = createRouter({
  providers: { local: async (input, { model }) => model },
  chain: { targets: [{ id: "flagship", provider: "local", model: "big" }] },
  source: "shop",
  plan: { url: ${JSON.stringify(dashboard.url)}, key: "${ADMIN_TOKEN}" },
});
let last = "";
const asking = setInterval(async () => {
  const { value, planVersion } = await router.run("hi");
  if (last !== value + planVersion) console.log(\`\${value} by \${planVersion}\`);
  last = value + planVersion;
}, 20);
process.stdin.on("data", () => { clearInterval(asking); router.close(); process.stdin.destroy(); });`);

async function secondsUntil(app: App, text: string): Promise<number> {
  const startedMs = performance.now();
  await app.waitFor(text);
  return (performance.now() - startedMs) / 1_000;
}

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

async function addTarget(page: Page, id: string, model: string): Promise<void> {
  await button(page, "Add a target").click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Id", { exact: false }).first().fill(id);
  await dialog.getByLabel("Provider").fill("local");
  await dialog.getByLabel("Model").fill(model);
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
}

it(
  "a plan is written, published, taken up by a running app, and rolled back in one click",
  {
    timeout: 180_000,
  },
  () =>
    withPageOf(browser, {}, async (page) => {
      const app = startRouter();
      await app.waitFor("big by null\n");
      await visit(page, `${dashboard.url}/routing?project=default`);
      await page.getByRole("row", { name: /shop.*chain in code/ }).waitFor({ timeout: 20_000 });

      await page.getByRole("link", { name: "Write a plan" }).click();
      await addTarget(page, "light", "small");
      await addTarget(page, "flagship", "big");
      await button(page, "Keep as a draft and review").click();
      await page.getByText("default · New chain").waitFor();
      await page.getByText("No call of the last seven days went to these targets.").waitFor();
      await page.getByLabel("Reason").fill("cheaper");
      await button(page, "Publish").click();
      expect(await secondsUntil(app, "small by 1\n")).toBeLessThan(5);

      await page.getByRole("link", { name: "All versions" }).click();
      await page
        .getByRole("row", { name: /shop.*version 1.*runs the published plan/ })
        .waitFor({ timeout: 15_000 });

      await page.getByRole("link", { name: "Edit", exact: true }).first().click();
      await button(page, "Move flagship up").click();
      expect(
        await page.getByRole("list", { name: "Targets" }).getByRole("listitem").first().textContent(),
      ).toContain("flagship");
      await button(page, "Keep as a draft and review").click();
      await page.getByText("light → flagship → flagship → light").waitFor();
      await page.getByLabel("Reason").fill("better");
      await button(page, "Publish").click();
      await app.waitFor("big by 2\n");
      await page.getByRole("link", { name: "All versions" }).click();
      await button(page, "Roll back to version 1").click();
      expect(await secondsUntil(app, "small by 3\n")).toBeLessThan(5);
      await page.getByText("Rolled back from version 2").first().waitFor();
      app.process.stdin?.write("stop\n");
      expect(await app.ended).toMatchObject({ code: 0 });
    }),
);

it("hours are painted by keyboard and by pointer", { timeout: 60_000 }, () =>
  withPageOf(browser, {}, async (page) => {
    await send(dashboard, "POST", "/api/projects", { name: "Painted", slug: "painted", timeZone: "UTC" });
    await send(dashboard, "POST", "/api/plans/publish?project=painted", {
      document: samplePlan(),
      basedOn: 0,
      reason: "a start",
    });
    await visit(page, `${dashboard.url}/routing/edit?project=painted`);
    const cell = (name: string) => page.getByRole("gridcell", { name });
    await cell("Wednesday 10:00–11:00: Order A").waitFor();
    await cell("Monday 13:00–14:00: Order A; avoids flagship").waitFor();

    await cell("Monday 00:00–01:00: usual order").focus();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Shift+ArrowRight");
    await page.keyboard.press("Shift+ArrowRight");
    await page.getByText("Mon–Fri 10:00–16:00; Tue 01:00–03:00").waitFor();

    await cell("Sunday 09:00–10:00: usual order").scrollIntoViewIfNeeded();
    const from = await cell("Saturday 09:00–10:00: usual order").boundingBox();
    const to = await cell("Sunday 09:00–10:00: usual order").boundingBox();
    if (from === null || to === null) throw new Error("the grid is not drawn");
    await page.mouse.move(from.x + 5, from.y + 5);
    await page.mouse.down();
    await page.mouse.move(to.x + 5, to.y + 5, { steps: 5 });
    await page.mouse.up();
    await page.getByText("Mon–Fri 10:00–16:00; Tue 01:00–03:00; Sat, Sun 09:00–10:00").waitFor();
  }),
);

it(
  "who publishes after somebody else did is told so, and sees what changes against theirs",
  {
    timeout: 60_000,
  },
  () =>
    withPageOf(browser, {}, async (page) => {
      await send(dashboard, "POST", "/api/projects", {
        name: "Contested",
        slug: "contested",
        timeZone: "UTC",
      });
      const draft = { document: samplePlan(), basedOn: 0, reason: "mine" };
      await send(dashboard, "POST", "/api/plans?project=contested", draft);
      await visit(page, `${dashboard.url}/routing/version?project=contested&version=1`);
      await send(dashboard, "POST", "/api/plans/publish?project=contested", {
        document: samplePlan(["spare"]),
        basedOn: 0,
        reason: "theirs",
      });
      await button(page, "Publish").click();
      await page
        .getByRole("alert")
        .getByText(/admin token/)
        .waitFor();
      await page.getByText("Against version 2, in force").waitFor();
      await button(page, "Publish").click();
      await page.getByRole("heading", { name: "Version 3" }).waitFor();
      await page.getByText("Published by admin token").waitFor();
    }),
);
