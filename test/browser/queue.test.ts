import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { writeLease, writeSubmission } from "../../web/src/features/queue/snippets.ts";
import { createTestDatabase } from "../support/database.ts";
import { judgeQueue } from "./queue.ts";
import { ADMIN_TOKEN, type Dashboard, launchBrowser, NOW, startDashboard, visit } from "./support.ts";
import { call, fillTeam, linkFor } from "./team.ts";
import { withPageOf } from "./with-page.ts";

let nowMs = NOW;
let dashboard: Dashboard;
let browser: Browser;

beforeAll(async () => {
  dashboard = await startDashboard(await createTestDatabase(), () => nowMs);
  await fillTeam(dashboard);
  browser = await launchBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
});

/** What waits is counted at most every few seconds. */
const passTime = () => {
  nowMs += 10_000;
};
const button = (page: Page, name: RegExp | string) => page.getByRole("button", { name, exact: true });
const open = (page: Page, path: string) => visit(page, `${dashboard.url}${path}`);

/** What a shell would send of a snippet. */
async function paste(snippet: string): Promise<unknown> {
  const [, url = ""] = /curl -sS (\S+)/.exec(snippet) ?? [];
  const [, body = ""] = /-d '(.*)'/s.exec(snippet) ?? [];
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" };
  const response = await fetch(url, { method: "POST", headers, body });
  expect(response.ok).toBe(true);
  return response.json();
}

it(
  "a first job is handed over as the page says, its life is read, and it is cancelled",
  { timeout: 60_000 },
  () =>
    withPageOf(browser, {}, async (page) => {
      await open(page, "/queue?project=default");
      const text = await page.getByRole("group", { name: "Hand over work that can wait" }).textContent();
      expect(text).toBe(writeSubmission({ origin: dashboard.url }));
      await paste(text ?? "");
      passTime();
      await open(page, "/queue?project=default");
      await page.getByText("1 job waits.").waitFor();
      await page.getByText("No worker was heard of").waitFor();
      await button(page, "Life of doc-1").click();
      const drawer = page.getByRole("dialog");
      await drawer.getByText("handed over").waitFor();
      await drawer.getByText("s3://docs/1").waitFor();
      await button(page, "Cancel doc-1").last().click();
      await button(page, "Cancel jobs").click();
      await page.getByText("1 job cancelled.").waitFor();
      await button(page, "Close").last().click();
      await drawer.getByText("cancelled").first().waitFor();
      passTime();
      await open(page, "/queue?project=default");
      await page.getByText("Nothing waits.").waitFor();
      expect(await button(page, "Cancel doc-1").count()).toBe(0);
    }),
);

it("a dead job tells why, and is queued again with all of its attempts", { timeout: 60_000 }, () =>
  withPageOf(browser, { language: "zh" }, async (page) => {
    await call(dashboard, "POST", "/v1/jobs", { jobs: [{ key: "bad", maxAttempts: 1 }] });
    const { jobs } = (await paste(writeLease({ origin: dashboard.url }))) as {
      jobs: { id: number; token: string }[];
    };
    nowMs += 90_000;
    await call(dashboard, "POST", `/v1/jobs/${jobs[0]?.id}/fail`, {
      token: jobs[0]?.token,
      error: "the document is empty",
    });
    await open(page, "/queue?project=default&state=dead");
    await page.getByRole("cell", { name: "the document is empty" }).waitFor();
    await button(page, "bad 的经过").click();
    await page.getByRole("dialog").getByText("执行端 my-laptop，历时 90秒，the document is empty").waitFor();
    await page.keyboard.press("Escape");
    await button(page, "重新排队 bad").click();
    await button(page, "重新排队").last().click();
    await page.getByText("1 个任务已重新排队。").waitFor();
    const answer = await call(dashboard, "GET", "/v1/jobs?state=live&key=bad");
    expect(answer.jobs).toMatchObject([{ state: "waiting", failures: 0 }]);
  }),
);

it("all jobs of a submitter are cancelled at once, and no others", { timeout: 60_000 }, () =>
  withPageOf(browser, {}, async (page) => {
    const night = { when: "offPeak", target: { provider: "acme", model: "large" } };
    await call(dashboard, "POST", "/v1/jobs", {
      defaults: { queue: "night", ...night },
      jobs: [{ submitter: "ann" }, { submitter: "ann" }, { submitter: "bob", reference: "of bob" }],
    });
    await judgeQueue(dashboard);
    passTime();
    await open(page, "/queue?project=default&queue=night&state=live");
    await page.getByText("3 jobs wait.").waitFor();
    await page.getByRole("cell", { name: "too few calls yet to know good hours" }).first().waitFor();
    await page.getByLabel("Submitter").fill("ann");
    await button(page, "Show").click();
    await button(page, "Life of of bob").waitFor({ state: "detached" });
    expect(new URL(page.url()).searchParams.get("submitter")).toBe("ann");
    await button(page, "Cancel all of these").click();
    await page.getByRole("heading", { name: "Cancel all jobs of queue night of ann?" }).waitFor();
    await button(page, "Cancel jobs").click();
    await page.getByText("2 jobs cancelled.").waitFor();
    const { jobs } = await call(dashboard, "GET", "/v1/jobs?queue=night&state=live");
    expect(jobs).toMatchObject([{ reference: "of bob" }]);
  }),
);

it("who may only look sees all of it and changes nothing", { timeout: 60_000 }, () =>
  withPageOf(browser, { isSignedIn: false }, async (page) => {
    await call(dashboard, "POST", "/v1/jobs?project=shop", { jobs: [{ key: "one" }] });
    await page.goto(await linkFor(dashboard, "Vera Rubin"));
    await open(page, "/queue?project=shop&queue=default");
    await button(page, "Life of one").waitFor();
    expect(await page.getByRole("button", { name: /Cancel|Queue again/ }).count()).toBe(0);
  }),
);
