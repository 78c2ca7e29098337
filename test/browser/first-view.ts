// How fast the first view is drawn from a server on this machine: npx tsx test/browser/first-view.ts [times]
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, BrowserContext } from "playwright-core";
import { openDatabase } from "../../db/open-database.ts";
import { type Dashboard, fillSample, launchBrowser, openContext, startDashboard } from "./support.ts";

interface View {
  /** Milliseconds after the address was entered. */
  readonly firstPaint: number;
  /** Sentence, tiles, grid and changes are all drawn. */
  readonly drawn: number;
  readonly requests: number;
}

/** Notes in the page when its last part has been drawn. Text, since tsx gives functions names that a page lacks. */
const WATCH_DRAWING = `
  const look = () => {
    const isDrawn =
      document.querySelectorAll("[role=grid] td[aria-label]").length === 168 &&
      document.querySelectorAll("li[data-state]").length > 5 &&
      document.querySelector("[aria-busy=true]") === null;
    requestAnimationFrame(isDrawn ? () => { console.log("drawn", performance.now()); } : look);
  };
  look();
`;

async function openFirstView(context: BrowserContext, url: string): Promise<View> {
  const page = await context.newPage();
  let requests = 0;
  page.on("request", () => {
    requests += 1;
  });
  await page.addInitScript(WATCH_DRAWING);
  // Asking the page whether it is drawn would slow it down: it tells.
  const [message] = await Promise.all([page.waitForEvent("console"), page.goto(url)]);
  const firstPaint = await page.evaluate(
    () => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? Number.NaN,
  );
  await page.close();
  return { firstPaint, drawn: Number(message.text().split(" ")[1]), requests };
}

function tell(name: string, views: readonly View[]): void {
  const median = (pick: (view: View) => number) =>
    Math.round(views.map(pick).sort((a, b) => a - b)[Math.floor(views.length / 2)] ?? Number.NaN);
  const slowest = Math.round(Math.max(...views.map(({ drawn }) => drawn)));
  process.stdout.write(
    `${name}: first paint ${median((view) => view.firstPaint)} ms, all drawn ${median((view) => view.drawn)} ms ` +
      `(slowest of ${views.length}: ${slowest} ms), ${median((view) => view.requests)} requests\n`,
  );
}

async function measure(browser: Browser, { url }: Dashboard, times: number): Promise<void> {
  const first: View[] = [];
  const again: View[] = [];
  for (let i = 0; i < times; i++) {
    const context = await openContext(browser);
    first.push(await openFirstView(context, `${url}/`));
    again.push(await openFirstView(context, `${url}/?project=sample`));
    await context.close();
  }
  tell("first visit", first);
  tell("next visits", again);
}

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-first-view-"));
// As root the database runs as another user, who must be able to enter.
fs.chmodSync(dataDir, 0o755);
const database = await openDatabase({ dataDir, say: () => {} });
const dashboard = await startDashboard(database, Date.now);
const browser = await launchBrowser();
try {
  await fillSample(dashboard, 56, Date.now());
  process.stdout.write(`load of the machine: ${os.loadavg()[0]?.toFixed(1)} on ${os.cpus().length} cores\n`);
  await measure(browser, dashboard, Number(process.argv[2] ?? 9));
} finally {
  await browser.close();
  await dashboard.close();
  await database.close();
  fs.rmSync(dataDir, { recursive: true, force: true });
}
