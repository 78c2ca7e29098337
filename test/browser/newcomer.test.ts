import { execFile } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Heatmap } from "../../server/contract/share.ts";
import { createShell, type RunningCommand } from "../cli/support.ts";
import { launchBrowser, root } from "./support.ts";

/** Nothing is set up: a data folder that does not exist, the server's own PostgreSQL, clock and jobs, no token. */
const shell = createShell();
let server: RunningCommand;
let browser: Browser;

beforeAll(async () => {
  // Builds the pages unless they are built already.
  await promisify(execFile)(process.execPath, [path.join(root, "bin", "busyhour.mjs"), "--version"], {
    cwd: root,
  });
  server = shell.start(["start"]);
  browser = await launchBrowser();
}, 300_000);

afterAll(async () => {
  await browser?.close();
  server?.process.kill("SIGINT");
  await server?.finished;
});

it("leads a newcomer from the printed link to the first hour that the grid tells of", {
  timeout: 240_000,
}, async () => {
  const [, link = ""] = await server.until(/Sign in +(http\S+)\n/);
  const context = await browser.newContext({
    locale: "en-GB",
    permissions: ["clipboard-read", "clipboard-write"],
  });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));

  await page.goto(link);
  await page.getByRole("heading", { name: "No calls yet" }).waitFor();
  await page.getByRole("link", { name: "Connect a source" }).click();
  await page.getByText("Waiting for the first event").waitFor();
  await page.getByRole("button", { name: "Create key" }).click();
  await page.getByText("Copy it now: it is not shown again.").waitFor();
  const answer = await promisify(execFile)("bash", ["-c", await copySnippet(page, "curl")]);
  expect(answer.stdout).toContain('"accepted":1');
  await page.getByText("Received: 1 event").waitFor({ timeout: 30_000 });

  const lines = (await copySnippet(page, "CSV of past logs")).split("\n");
  const csv = lines.filter((line) => line.startsWith("#   ")).map((line) => line.slice(4));
  fs.writeFileSync(path.join(shell.folder, "calls.csv"), `${csv.join("\n")}\n`);
  const command = lines.find((line) => line.startsWith("npx busyhour ")) ?? "";
  const imported = await shell.run(command.split(" ").slice(2));
  expect([imported.code, imported.stderr + imported.stdout]).toEqual([0, expect.stringContaining("1 ")]);
  await page.getByText("Received: 2 events").waitFor({ timeout: 30_000 });

  await page.getByRole("link", { name: "See it on Now & when" }).click();
  const { cells, zone } = await waitForCalls(page);
  const cell = cells.reduce((most, one) => (one.n > most.n ? one : most));
  const spot = page
    .locator("[role=grid] tbody tr")
    .nth(Math.floor(cell.hourOfWeek / 24))
    .locator("td")
    .nth(cell.hourOfWeek % 24);
  const tip = page.getByRole("tooltip");
  const told = [`${cell.k} of ${cell.n}`, zone, "too few calls"];
  await page.reload();
  await spot.hover();
  for (const text of told) expect(await tip.textContent()).toContain(text);
  await page.mouse.move(0, 0);
  expect(await tip.count()).toBe(0);
  await page.getByText("Requests", { exact: true }).focus();
  await page.keyboard.press("Tab");
  await walkTo(page, cell.hourOfWeek);
  for (const text of told) expect(await tip.textContent()).toContain(text);
  await page.keyboard.press("Enter");
  await page.getByRole("dialog").getByRole("table").waitFor();
  expect(await page.getByRole("dialog").locator("tbody tr").first().textContent()).toContain(told[0]);
  expect(complaints).toEqual([]);
  await context.close();
});

/** What the button copies, as it would be pasted. */
async function copySnippet(page: Page, name: string): Promise<string> {
  await page.getByText(name, { exact: true }).click();
  await page.getByRole("button", { name: "Copy", exact: true }).click();
  await page.getByText("Copied", { exact: true }).first().waitFor();
  return page.evaluate(() => navigator.clipboard.readText());
}

/** The heatmap that the page's own session is answered, once both events are in it. */
async function waitForCalls(page: Page): Promise<Heatmap> {
  const ask = async (): Promise<Heatmap> =>
    (await page.request.get(new URL("/api/heatmap", page.url()).href)).json();
  let heatmap = await ask();
  while (heatmap.cells.reduce((sum, { n }) => sum + n, 0) < 2) {
    await page.waitForResponse(/\/api\//, { timeout: 60_000 });
    heatmap = await ask();
  }
  return heatmap;
}

/** From wherever the grid's stop is to an hour of the week, by keys. */
async function walkTo(page: Page, hourOfWeek: number): Promise<void> {
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Home");
  for (let i = 0; i < Math.floor(hourOfWeek / 24); i++) await page.keyboard.press("ArrowDown");
  for (let i = 0; i < hourOfWeek % 24; i++) await page.keyboard.press("ArrowRight");
}
