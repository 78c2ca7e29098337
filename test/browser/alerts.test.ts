import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type AllowList, parseAllowList } from "../../server/outgoing/allow-list.ts";
import { insertAlert } from "../support/alerts.ts";
import { createTestDatabase } from "../support/database.ts";
import { anEvent } from "../support/events.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { type Dashboard, launchBrowser, NOW, startDashboard, visit } from "./support.ts";
import { withPageOf } from "./with-page.ts";

const receiver: Receiver = await startReceiver();
let dashboard: Dashboard;
let browser: Browser;

beforeAll(async () => {
  const outgoingAllow = parseAllowList("127.0.0.1") as AllowList;
  dashboard = await startDashboard(await createTestDatabase(), () => NOW, { outgoingAllow });
  // Three days ago, for half an hour, every second call found no room.
  const events = Array.from({ length: 60 }, (_, i) =>
    anEvent({
      model: "large",
      occurredAt: new Date(NOW - 3 * 86_400_000 + i * 30_000).toISOString(),
      outcome: i % 2 === 0 ? "capacity" : "ok",
    }),
  );
  await dashboard.post(events);
  await dashboard.catchUp();
  browser = await launchBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
});

const button = (page: Page, name: RegExp | string) => page.getByRole("button", { name });
const open = (page: Page, path: string) => visit(page, `${dashboard.url}${path}`);

it(
  "the usual rules are switched on, and one is written while its past is looked at",
  { timeout: 60_000 },
  () =>
    withPageOf(browser, {}, async (page) => {
      await open(page, "/alerts");
      await page.getByText("There are no rules yet").waitFor();
      await page.getByRole("link", { name: "Switch the usual rules on" }).click();
      await button(page, /^Switch \d+ on$/).click();
      await page.getByText("All of them are there.").waitFor();

      await page.getByRole("link", { name: "New rule" }).click();
      await page.getByText(/^It would have fired once/).waitFor();
      await page.getByRole("slider", { name: "Above, %" }).fill("60");
      await page.getByText("It would not have fired.").waitFor();
      await page.getByRole("slider", { name: "Above, %" }).fill("20");
      await page.getByText(/^It would have fired once/).waitFor();
      await page.getByText(/^large/).waitFor();
      await page.getByLabel("Name").fill("Half of all");
      await button(page, "Save").click();
      await page.getByRole("checkbox", { name: "Half of all is on" }).waitFor();
      await page.getByText(/more than 20\.0\s?% of attempts \(capacity error\) in 15 min/).waitFor();
    }),
);

it("a channel is told from its address, and a test shows what the receiver says", { timeout: 60_000 }, () =>
  withPageOf(browser, {}, async (page) => {
    await open(page, "/alerts/channels");
    await page.getByLabel("Address").fill(`http://127.0.0.1:${receiver.port}/hook`);
    await page.getByText("That is a webhook.").waitFor();
    await button(page, "Add a channel").click();
    await page.getByText(/^whsec_/).waitFor();
    receiver.reply = () => ({ status: 418, body: "no such team" });
    await button(page, /^Send test to/).click();
    await page.getByText("It answered 418: no such team").waitFor();
    receiver.reply = () => ({ status: 200, body: "taken" });
    await button(page, /^Send test to/).click();
    await page.getByText("It answered 200: taken").waitFor();
    expect(receiver.received.at(-1)?.headers["webhook-signature"]).toMatch(/^v1,/);
    await button(page, /^Log of/).click();
    await page.getByRole("dialog").getByText("given up").waitFor();
  }),
);

it("who is on call says so, silences an alert, and ends the silence", { timeout: 60_000 }, () =>
  withPageOf(browser, { language: "zh" }, async (page) => {
    await insertAlert(dashboard.server.core.jobSql);
    await open(page, "/alerts");
    const card = page.getByRole("article", { name: /acme-large/ });
    await card.getByText("是这个模型拥挤，不是整个服务商。").waitFor();
    await card.getByRole("button", { name: "我来处理" }).click();
    await card.getByText(/在处理/).waitFor();
    await card.getByRole("button", { name: "静默" }).click();
    await page.getByRole("dialog").getByLabel("原因").fill("已知");
    await page.getByRole("dialog").getByRole("button", { name: "静默" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "静默" }).click();
    await page.getByText("已知").waitFor();
    await button(page, /^立即结束/).click();
    await page.getByText("已结束").waitFor();
  }),
);
