// Every state of every page as a picture, or those with one of the words in their name:
// npx tsx test/browser/screenshots.ts [folder] [words …]
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { openDatabase } from "../../db/open-database.ts";
import { EXAMPLES } from "../../web/src/features/errors/examples.ts";
import { fillAlerts } from "./alerts.ts";
import { fillPlans } from "./plans.ts";
import { fillQueue } from "./queue.ts";
import { fillStatusPage } from "./status.ts";
import {
  type Dashboard,
  fillSample,
  type Look,
  launchBrowser,
  NOW,
  openContext,
  openPage,
  postSpans,
  startDashboard,
  thinEvents,
  visit,
} from "./support.ts";
import { fillTeam, followInvitation, linkFor } from "./team.ts";

interface Shot {
  readonly name: string;
  readonly path: string;
  /** Makes the state: before the page is opened, and after. */
  readonly before?: (page: Page, dashboard: Dashboard) => Promise<unknown>;
  readonly after?: (page: Page, dashboard: Dashboard) => Promise<unknown>;
  readonly isSignedIn?: boolean;
  readonly isNeverIdle?: boolean;
}

const TARGET = "provider=google&model=gemini-2.5-pro&endpoint=us-central1";
const OWN_TARGET = "provider=openai&model=gpt-5&endpoint=api.openai.com";
const PAGES = [
  { name: "now", sample: "/?project=sample", own: "/?project=default" },
  { name: "models", sample: "/models?project=sample", own: "/models?project=default" },
  {
    name: "model",
    sample: `/model?project=sample&${TARGET}&compare=week`,
    own: `/model?project=default&${OWN_TARGET}`,
  },
  { name: "advice", sample: "/advice?project=sample", own: "/advice?project=default" },
  { name: "episodes", sample: "/episodes?project=sample", own: "/episodes?project=default" },
  { name: "sources", sample: "/sources?project=sample", own: "/sources?project=default" },
];
/** Pictures taken at the same time: mostly they wait. */
const AT_ONCE = 3;
const FIGURES = /\/api\/(?!projects)/;

const emptyShots: Shot[] = PAGES.map(({ name, own }) => ({ name: `${name}-empty`, path: own }));
const thinShots: Shot[] = PAGES.map(({ name, own }) => ({ name: `${name}-thin`, path: own }));
const sampleShots: Shot[] = PAGES.flatMap(({ name, sample }) => [
  { name: `${name}-full`, path: sample },
  {
    name: `${name}-loading`,
    path: sample,
    before: (page: Page) => page.route(FIGURES, () => {}),
    isNeverIdle: true,
  },
  {
    name: `${name}-failed`,
    path: sample,
    before: (page: Page) =>
      page.route(FIGURES, (route) =>
        route.fulfill({
          status: 503,
          contentType: "application/problem+json",
          body: JSON.stringify({ code: "database_away", title: "The database does not answer" }),
        }),
      ),
  },
  { name: `${name}-stale`, path: sample, after: makeStale },
]);
const otherShots: Shot[] = [
  {
    name: "advice-picked-full",
    path: "/advice?project=sample&provider=openai&model=gpt-5&endpoint=api.openai.com",
    after: (page) => page.locator("details summary").first().click(),
  },
  {
    name: "diagnosis-full",
    path: "/episodes?project=sample",
    after: async (page) => {
      await page
        .getByRole("button", { name: /^Why was|为什么/ })
        .first()
        .click();
      await page.getByRole("dialog").getByRole("list").first().waitFor();
    },
  },
  { name: "sign-in", path: "/", isSignedIn: false },
  { name: "sign-in-failed", path: "/?signIn=failed", isSignedIn: false },
  { name: "server-away", path: "/", before: (page) => page.route(/\/api\//, (route) => route.abort()) },
  { name: "not-found", path: "/nowhere?project=sample" },
  {
    name: "table",
    path: "/?project=sample",
    after: (page) => page.getByText("View as table").first().click(),
  },
  { name: "shortcuts", path: "/?project=sample", after: (page) => page.keyboard.press("?") },
  {
    name: "tip",
    path: "/?project=sample&compare=before",
    after: (page) => page.locator("[role=grid] tbody tr").nth(1).locator("td").nth(14).focus(),
  },
  { name: "hour-full", path: "/?project=sample&compare=before&hour=61", after: waitForHour },
  {
    name: "hour-of-calendar",
    path: `/model?project=sample&${TARGET}&at=2026-11-25T17:00:00.000Z`,
    after: waitForHour,
  },
  {
    name: "download",
    path: "/?project=sample",
    after: (page) =>
      page
        .getByRole("button", { name: /^Download/ })
        .first()
        .click(),
  },
  { name: "range", path: "/?project=sample", after: openRange },
  { name: "models-compared", path: "/models?project=sample&compare=week" },
  ...PAGES.map(({ name, sample }) => ({
    name: `${name}-outside`,
    path: `${sample}&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z`,
  })),
  { name: "errors-empty", path: "/errors?project=sample" },
  { name: "errors-signed-out", path: "/errors", isSignedIn: false },
  ...(["full", "limit", "empty"] as const).map((example) => ({
    name: `errors-${example}-full`,
    path: "/errors?project=default",
    after: (page: Page) => page.locator("textarea").first().fill(EXAMPLES[example]),
  })),
  {
    name: "errors-lines",
    path: "/errors?project=default",
    after: (page) =>
      page
        .locator("textarea")
        .first()
        .fill(
          '{"id":"a","status":529,"body":""}\n{"id":"b","status":"x","body":""}\n{"id":"c","status":401,"body":""}',
        ),
  },
  { name: "errors-rules-full", path: "/errors?project=default", after: saveBadRules },
  { name: "revoke", path: "/sources?project=default", after: openRevoke },
];

const isOpenTo = (name: string) => async (page: Page, dashboard: Dashboard) => {
  await page.goto(await linkFor(dashboard, name));
};

/** The team's settings, as an owner or as somebody else sees them. */
const teamShots: Shot[] = [
  { name: "settings-account-full", path: "/settings", isSignedIn: false, before: isOpenTo("Ada Lovelace") },
  { name: "settings-viewer", path: "/settings/keys", isSignedIn: false, before: isOpenTo("Vera Rubin") },
  { name: "sources-viewer", path: "/sources", isSignedIn: false, before: isOpenTo("Vera Rubin") },
  ...["project", "people", "keys", "audit", "installation"].map((part) => ({
    name: `settings-${part}-full`,
    path: `/settings/${part}?project=shop`,
  })),
  {
    name: "settings-invited",
    path: "/settings/people?project=shop",
    after: (page) => page.getByRole("button", { name: "Create a link" }).click(),
  },
  {
    name: "settings-rotate",
    path: "/settings/keys?project=shop",
    after: (page) =>
      page
        .getByRole("button", { name: /^Rotate/ })
        .first()
        .click(),
  },
  {
    name: "settings-remove",
    path: "/settings/project?project=shop",
    after: (page) => page.getByRole("button", { name: "Remove Shop" }).click(),
  },
  { name: "sign-in-password-full", path: "/", isSignedIn: false },
  { name: "sign-in-unknown", path: "/?signIn=unknown", isSignedIn: false },
  {
    name: "invitation-full",
    path: "/invitation",
    isSignedIn: false,
    after: followInvitation,
  },
  { name: "invitation-gone", path: "/invitation#none", isSignedIn: false },
];

const routingShots: Shot[] = [
  { name: "routing-plan-full", path: "/routing?project=sample" },
  { name: "routing-empty", path: "/routing?project=default" },
  { name: "routing-version-full", path: "/routing/version?project=sample&version=4" },
  { name: "routing-edit-full", path: "/routing/edit?project=sample" },
  { name: "routing-first", path: "/routing/edit?project=default" },
  { name: "routing-rehearsals-full", path: "/routing/rehearsals?project=sample" },
  {
    name: "routing-target",
    path: "/routing/edit?project=sample",
    after: (page) => page.getByRole("button", { name: "Add a target" }).click(),
  },
];

const statusShots: Shot[] = [
  { name: "status-page-full", path: "/status/atlas?zone=Europe/Berlin", isSignedIn: false },
  { name: "status-day", path: "/status/atlas?zone=Europe/Berlin&range=24h", isSignedIn: false },
  {
    name: "status-week",
    path: "/status/atlas?zone=Europe/Berlin&range=7d",
    isSignedIn: false,
    after: (page) => page.locator("details.hours summary").first().click(),
  },
  { name: "status-none", path: "/status/nowhere", isSignedIn: false },
  { name: "settings-status-full", path: "/settings/status?project=sample" },
  { name: "settings-status-first", path: "/settings/status?project=default" },
  {
    name: "settings-status-update",
    path: "/settings/status?project=sample",
    after: (page) =>
      page
        .getByRole("button", { name: /^Add an update/ })
        .first()
        .click(),
  },
];

const alertShots: Shot[] = [
  { name: "alerts-now-full", path: "/alerts?project=sample" },
  { name: "alerts-empty", path: "/alerts?project=default" },
  { name: "alerts-rules-full", path: "/alerts/rules?project=sample" },
  { name: "alerts-rule-full", path: "/alerts/rule?project=sample" },
  { name: "alerts-channels-full", path: "/alerts/channels?project=sample" },
  {
    name: "alerts-channel-settings",
    path: "/alerts/channels?project=sample",
    after: (page) =>
      page
        .getByRole("button", { name: /on call/ })
        .last()
        .click(),
  },
  { name: "alerts-silences-full", path: "/alerts/silences?project=sample" },
  { name: "alerts-report-full", path: "/alerts/reports?project=sample" },
];

const queueShots: Shot[] = [
  { name: "queue-full", path: "/queue?project=sample" },
  { name: "queue-one-full", path: "/queue?project=sample&queue=classify&state=live" },
  { name: "queue-first-full", path: "/queue?project=default" },
  {
    name: "queue-hour",
    path: "/queue?project=sample",
    after: (page) => page.locator("[role=grid] [role=gridcell]").nth(3).focus(),
  },
  {
    name: "queue-table",
    path: "/queue?project=sample",
    after: (page) => page.getByText("View as table").first().click(),
  },
  {
    name: "queue-life-full",
    path: "/queue?project=sample&queue=summaries",
    after: async (page) => {
      await page.getByRole("button", { name: /^(?:Life of dead|dead 的经过)$/ }).click();
      await page.getByRole("dialog").getByRole("list").waitFor();
    },
  },
  {
    name: "queue-cancel",
    path: "/queue?project=sample&queue=classify",
    after: (page) => page.getByRole("button", { name: "Cancel all of these" }).click(),
  },
  {
    name: "queue-failed",
    path: "/queue?project=sample",
    before: (page) => page.route(/\/(?:api\/queues|v1\/jobs)/, (route) => route.abort()),
  },
  { name: "queue-stale", path: "/queue?project=sample", after: makeStale },
];

async function waitForHour(page: Page): Promise<void> {
  await page.getByRole("dialog").getByRole("table").waitFor();
}

async function openRange(page: Page): Promise<void> {
  const isPhone = (page.viewportSize()?.width ?? 0) < 640;
  await page.getByRole("button", { name: isPhone ? /^View/ : /^Range/ }).click();
}

/** Two rules with a fault each. */
async function saveBadRules(page: Page): Promise<void> {
  const rules = [
    { id: "our-proxy/nap", outcome: "nap", because: "x", text: "nap" },
    { id: "x", outcome: "capacity" },
  ];
  await page
    .locator("textarea")
    .last()
    .fill(JSON.stringify({ rules }, null, 2));
  await page.locator("button[type=submit]").click();
  await page.getByRole("alert").waitFor();
}

async function openRevoke(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Create key" }).click();
  await page
    .getByRole("button", { name: /^Revoke/ })
    .first()
    .click();
}

/** Ten minutes later nothing answers: what was there stays, and says how old it is. */
async function makeStale(page: Page): Promise<void> {
  await page.route(/\/api\//, (route) => route.abort());
  await page.clock.setFixedTime(NOW + 10 * 60_000);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await page.waitForTimeout(2_500);
}

async function take(browser: Browser, dashboard: Dashboard, folder: string, shot: Shot, look: Look) {
  const context = await openContext(browser, { ...look, isSignedIn: shot.isSignedIn ?? true });
  const { page, complaints } = await openPage(context);
  // A machine that is busy with other things is slow, not wrong.
  page.setDefaultTimeout(120_000);
  await shot.before?.(page, dashboard);
  if (shot.isNeverIdle) {
    await page.goto(dashboard.url + shot.path);
    await page.waitForTimeout(700);
  } else await visit(page, dashboard.url + shot.path);
  await shot.after?.(page, dashboard);
  // The picture is taken as high as the page is, so that what sticks to an edge is where it belongs.
  const height = await page.evaluate(() => document.documentElement.scrollHeight);
  await page.setViewportSize({ width: look.width ?? 1440, height: Math.max(height, 600) });
  await page.waitForTimeout(150);
  const file = [shot.name, look.width, look.theme, look.language].filter(Boolean).join("-");
  await page.screenshot({ path: path.join(folder, `${file}.png`) });
  if (complaints.length > 0) process.stdout.write(`${file}: ${complaints.join(" | ")}\n`);
  await context.close();
}

function* listLooks(shot: Shot): Generator<Look> {
  for (const width of [1440, 768, 390]) {
    for (const theme of ["light", "dark"] as const) yield { width, theme };
  }
  if (!shot.name.endsWith("-full")) return;
  for (const width of [1440, 390]) yield { width, theme: "light", language: "zh" };
}

async function main([target, ...words]: readonly string[]): Promise<void> {
  const folder = target ?? path.join(os.tmpdir(), "busyhour-screenshots");
  fs.mkdirSync(folder, { recursive: true });
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-screenshots-data-"));
  // As root the database runs as another user, who must be able to enter.
  fs.chmodSync(dataDir, 0o755);
  const database = await openDatabase({ dataDir, say: () => {}, conf: { fsync: "off" } });
  const dashboard = await startDashboard(database);
  const browser = await launchBrowser();
  const takeAll = async (shots: readonly Shot[]) => {
    const jobs = shots
      .filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))
      .flatMap((shot) => [...listLooks(shot)].map((look) => ({ shot, look })));
    const work = async () => {
      for (let job = jobs.shift(); job !== undefined; job = jobs.shift())
        await take(browser, dashboard, folder, job.shot, job.look);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
  };
  try {
    await takeAll(emptyShots);
    await dashboard.post([...thinEvents(), { source: "my-app", occurredAt: new Date(NOW).toISOString() }]);
    await dashboard.catchUp();
    await takeAll(thinShots);
    await postSpans(dashboard, { service: "checkout", instrument: "gen_ai", count: 3 });
    await postSpans(dashboard, { service: "search", instrument: "my.own", count: 1_000 });
    await dashboard.catchUp();
    if (teamShots.some(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))) {
      await fillTeam(dashboard);
      await takeAll(teamShots);
    }
    await takeAll([{ name: "sources-blind-full", path: "/sources?project=default" }]);
    if (
      words.length > 0 &&
      ![...sampleShots, ...otherShots, ...routingShots, ...statusShots, ...alertShots, ...queueShots].some(
        ({ name }) => words.some((word) => name.includes(word)),
      )
    )
      return;
    await fillSample(dashboard, 56);
    await fillPlans(dashboard);
    await fillStatusPage(dashboard);
    await fillAlerts(dashboard);
    await fillQueue(dashboard);
    await takeAll([
      ...sampleShots,
      ...otherShots,
      ...routingShots,
      ...statusShots,
      ...alertShots,
      ...queueShots,
    ]);
    process.stdout.write(`${fs.readdirSync(folder).length} pictures in ${folder}\n`);
  } finally {
    await browser.close();
    await dashboard.close();
    await database.close();
    fs.rmSync(dataDir, { recursive: true, force: true });
  }
}

await main(process.argv.slice(2));
