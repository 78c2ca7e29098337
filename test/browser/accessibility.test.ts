import type { Browser, Page, Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Sources } from "../../server/contract/listing.ts";
import { createTestDatabase } from "../support/database.ts";
import { fillAlerts } from "./alerts.ts";
import { listViolations } from "./axe.ts";
import { fillPlans } from "./plans.ts";
import { fillQueue } from "./queue.ts";
import { fillStatusPage } from "./status.ts";
import {
  type Dashboard,
  fillSample,
  type Look,
  launchBrowser,
  NOW,
  startDashboard,
  visit,
} from "./support.ts";
import { fillTeam, followInvitation, linkFor } from "./team.ts";
import { withPageOf } from "./with-page.ts";

let dashboard: Dashboard;
let browser: Browser;

beforeAll(async () => {
  const database = await createTestDatabase();
  dashboard = await startDashboard(database);
  await fillSample(dashboard, 29);
  await fillTeam(dashboard);
  await fillPlans(dashboard);
  await fillAlerts(dashboard);
  await fillStatusPage(dashboard);
  await fillQueue(dashboard);
  await fetch(`${dashboard.url}/api/keys`, {
    method: "POST",
    headers: {
      authorization: "Bearer an-admin-token-for-browser-tests",
      "content-type": "application/json",
    },
    body: JSON.stringify({ kind: "ingest", name: "a key" }),
  });
  browser = await launchBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
});

interface State {
  readonly place: string;
  readonly isSignedIn?: boolean;
  /** Makes the state: before the page is opened, and after. */
  readonly before?: (page: Page) => Promise<unknown>;
  readonly after?: (page: Page) => Promise<unknown>;
}

const MODEL = "/model?project=sample&provider=openai&model=gpt-5";
const click = (page: Page, name: RegExp) => page.getByRole("button", { name }).first().click();

const states: Readonly<Record<string, State>> = {
  now: { place: "/?project=sample" },
  "now without calls": { place: "/?project=default" },
  "now, compared": { place: "/?project=sample&compare=before" },
  "now, as a table": { place: "/?project=sample", after: (page) => click(page, /^View as table/) },
  "when to run, with evidence": {
    place: "/advice?project=sample",
    after: (page) => page.locator("details summary").first().click(),
  },
  "when to run, in the week": {
    place: "/advice?project=sample&provider=openai&model=gpt-5&endpoint=api.openai.com",
  },
  episodes: { place: "/episodes?project=sample" },
  "a diagnosis": {
    place: "/episodes?project=sample",
    after: async (page) => {
      await click(page, /^Why was/);
      await page.getByRole("heading", { name: "What to do" }).waitFor();
    },
  },
  models: { place: "/models?project=sample&compare=week" },
  model: { place: `${MODEL}&compare=before` },
  "model in a range without calls": { place: `${MODEL}&from=2020-01-01T00:00Z&to=2020-01-02T00:00Z` },
  sources: { place: "/sources?project=default" },
  "sources of the sample": { place: "/sources?project=sample" },
  "sources with blind spots": {
    place: "/sources?project=sample",
    before: (page) => page.route(/\/api\/sources/, addBlindSpots),
  },
  "the plan in force": { place: "/routing?project=sample" },
  "a plan to be published": { place: "/routing/version?project=sample&version=4" },
  "a plan that is edited": {
    place: "/routing/edit?project=sample",
    after: (page) => page.locator("[role=grid] td[tabindex='0']").focus(),
  },
  "before a target is added": {
    place: "/routing/edit?project=sample",
    after: (page) => click(page, /^Add a target/),
  },
  alerts: { place: "/alerts?project=sample" },
  "rules of alerts": { place: "/alerts/rules?project=sample" },
  "a rule that is written": {
    place: "/alerts/rule?project=sample",
    after: (page) => page.getByRole("heading", { name: "The last 14 days with this rule" }).waitFor(),
  },
  channels: { place: "/alerts/channels?project=sample" },
  "a channel's settings": {
    place: "/alerts/channels?project=sample",
    after: (page) => click(page, /^Settings of/),
  },
  silences: { place: "/alerts/silences?project=sample" },
  "a weekly report": { place: "/alerts/reports?project=sample" },
  "the queue": { place: "/queue?project=sample" },
  "the queue, an hour of the coming day": {
    place: "/queue?project=sample",
    after: (page) => page.locator("[role=grid] [role=gridcell][tabindex='0']").focus(),
  },
  "the queue, as a table": {
    place: "/queue?project=sample",
    after: (page) => click(page, /^View as table/),
  },
  "one queue of several, dead jobs": { place: "/queue?project=sample&queue=summaries&state=dead" },
  "a job's life": {
    place: "/queue?project=sample&queue=summaries",
    after: async (page) => {
      await click(page, /^Life of dead/);
      await page.getByRole("heading", { name: "Its life" }).waitFor();
    },
  },
  "before jobs are cancelled": {
    place: "/queue?project=sample&queue=classify",
    after: (page) => click(page, /^Cancel all of these/),
  },
  "the queue before its first job": { place: "/queue?project=default" },
  rehearsals: { place: "/routing/rehearsals?project=sample" },
  "name an error": { place: "/errors?project=default" },
  "an error named": {
    place: "/errors?project=default",
    after: (page) =>
      page.getByLabel("The error").fill('{"status":529,"body":""}\n{"id":"b","status":"x","body":""}'),
  },
  "rules refused": {
    place: "/errors?project=default",
    after: async (page) => {
      await page.getByLabel("Rules as JSON").fill('{"rules":[{"id":"x"}]}');
      await click(page, /^Save rules/);
      await page.getByRole("alert").waitFor();
    },
  },
  "name an error, signed out": {
    place: "/errors",
    isSignedIn: false,
    after: async (page) => {
      await click(page, /^Three/);
      await page.getByRole("article").waitFor();
    },
  },
  "settings: account": {
    place: "/settings",
    isSignedIn: false,
    before: async (page) => page.goto(await linkFor(dashboard, "Ada Lovelace")),
  },
  "settings: project": { place: "/settings/project?project=shop" },
  "settings: people, invited": {
    place: "/settings/people?project=shop",
    after: async (page) => {
      await click(page, /^Create a link/);
      await page.getByText("It is shown once and works once.").waitFor();
    },
  },
  "settings: keys": { place: "/settings/keys?project=shop" },
  "before a key is rotated": {
    place: "/settings/keys?project=shop",
    after: (page) => click(page, /^Rotate/),
  },
  "settings: status page": { place: "/settings/status?project=sample" },
  "before a note goes on": {
    place: "/settings/status?project=sample",
    after: (page) => click(page, /^Add an update/),
  },
  "settings: audit log": { place: "/settings/audit?project=shop" },
  "settings: installation": { place: "/settings/installation?project=shop" },
  "sign in by password": { place: "/?signIn=unknown", isSignedIn: false },
  invitation: {
    place: "/invitation",
    isSignedIn: false,
    after: (page) => followInvitation(page, dashboard),
  },
  "invitation that does not work": { place: "/invitation#none", isSignedIn: false },
  "no such page": { place: "/nowhere?project=sample" },
  "no such project": { place: "/?project=nobody" },
  "sign in": { place: "/", isSignedIn: false },
  "sign in with a used link": { place: "/?signIn=failed", isSignedIn: false },
  "an hour, opened": {
    place: "/?project=sample&hour=61",
    after: (page) => page.getByRole("dialog").getByRole("table").waitFor(),
  },
  "beside a cell": {
    place: "/?project=sample",
    after: (page) => page.locator("[role=grid] td[tabindex='0']").focus(),
  },
  "the list of shortcuts": { place: "/?project=sample", after: (page) => page.keyboard.press("?") },
  "the menu of files": { place: "/?project=sample", after: (page) => click(page, /^Download/) },
  "the range, or on phones the view": {
    place: "/?project=sample",
    after: (page) => click(page, /^(?:Range|View$)/),
  },
  "before a key is revoked": {
    place: "/sources?project=default",
    after: (page) => click(page, /^Revoke/),
  },
  "refused figures": {
    place: "/?project=sample",
    before: (page) =>
      page.route(/\/api\/(?!projects)/, (route) =>
        route.fulfill({
          status: 503,
          contentType: "application/problem+json",
          body: JSON.stringify({ code: "database_away", title: "The database does not answer" }),
        }),
      ),
  },
  "a server that is away from the start": {
    place: "/",
    before: (page) => page.route(/\/api\//, (route) => route.abort()),
  },
  "a server that went away": { place: "/models?project=sample", after: loseServer },
};

/** The sample has none; the page shows those of any source. */
async function addBlindSpots(route: Route): Promise<void> {
  const answer = await route.fetch();
  const { sources, ...rest } = (await answer.json()) as Sources;
  const blindSpots: Sources["sources"][number]["ways"][number]["blindSpots"] = [
    { code: "hidesRetries", certainty: "known" },
    { code: "omitsFailures", certainty: "likely" },
  ];
  const way = { via: "otlp", instrument: "gen_ai", lastReceivedAt: rest.range.to, calls: 1_000, failures: 0 };
  const json = { ...rest, sources: sources.map((source) => ({ ...source, ways: [{ ...way, blindSpots }] })) };
  await route.fulfill({ response: answer, json });
}

async function loseServer(page: Page): Promise<void> {
  await page.route(/\/api\//, (route) => route.abort());
  await page.clock.setFixedTime(NOW + 10 * 60_000);
  await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
  await page.getByText("The server does not answer.").waitFor();
}

function open(look: Look, state: State, use: (page: Page) => Promise<void>): Promise<void> {
  return withPageOf(browser, { ...look, isSignedIn: state.isSignedIn ?? true }, async (page) => {
    await state.before?.(page);
    await visit(page, dashboard.url + state.place);
    await state.after?.(page);
    await use(page);
  });
}

const HEIGHT = 900;

/** The widest and the narrowest, each in one theme; what lies between has a frame of its own, but no page of its own. */
const LOOKS = [
  { width: 1440, theme: "light" },
  { width: 390, theme: "dark" },
] as const;
const MIDDLE = { width: 768, theme: "dark" } as const;

for (const [name, state] of Object.entries(states)) {
  it(`has no violation, light and dark, wide and narrow, and fits 320 px: ${name}`, {
    timeout: 180_000,
  }, async () => {
    await open({}, state, async (page) => {
      for (const { width, theme } of name === "now" ? [...LOOKS, MIDDLE] : LOOKS) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme: theme });
        await page.locator(`html[data-theme=${theme}]`).waitFor();
        expect([width, theme, ...(await listViolations(page))]).toEqual([width, theme]);
      }
      for (const width of [768, 320]) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.waitForFunction(() => document.documentElement.scrollWidth <= innerWidth);
      }
    });
  });
}

describe("by keyboard alone", () => {
  const focused = (page: Page) =>
    page.evaluate(
      () => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "",
    );

  it("everything on a page is reached, in sight, and shows that it has the focus", () =>
    open({}, { place: "/?project=sample" }, async (page) => {
      const wanted = await page.evaluate(
        () =>
          [
            ...document.querySelectorAll<HTMLElement>("a[href], button, select, input, [tabindex='0']"),
          ].filter(
            (element) => !element.matches(":disabled, [type=radio]:not(:checked)") && element.tabIndex === 0,
          ).length,
      );
      const seen = new Set<string>();
      for (let i = 0; i < wanted + 5; i++) {
        await page.keyboard.press("Tab");
        const state = await page.evaluate(() => {
          const element = document.activeElement;
          if (!(element instanceof HTMLElement) || element === document.body) return null;
          const all = [...document.querySelectorAll("*")];
          // The ring may be that of a label around a hidden field, or of what lies over a whole tile.
          const rings = [element, element.closest("label") ?? element];
          const styles = rings.flatMap((one) => [getComputedStyle(one), getComputedStyle(one, "::after")]);
          const hasRing = styles.some(({ outlineStyle }) => outlineStyle !== "none");
          const { top, bottom } = element.getBoundingClientRect();
          return { key: String(all.indexOf(element)), hasRing, isInSight: bottom > 0 && top < innerHeight };
        });
        if (state === null) continue;
        expect([await focused(page), state.hasRing, state.isInSight]).toEqual([
          await focused(page),
          true,
          true,
        ]);
        seen.add(state.key);
      }
      expect(seen.size).toBe(wanted);
    }));

  it("a menu, a sheet and a dialog give the focus back to what opened them", () =>
    open({}, { place: "/?project=sample" }, async (page) => {
      const download = page.getByRole("button", { name: /^Download/ }).first();
      await download.focus();
      await page.keyboard.press("Enter");
      await page.getByRole("button", { name: /^CSV/ }).waitFor();
      await page.keyboard.press("Escape");
      expect(await focused(page)).toMatch(/^Download/);

      await page.locator("[role=grid] td[tabindex='0']").focus();
      await page.keyboard.press(" ");
      await page.getByRole("dialog").getByRole("table").waitFor();
      await page.getByRole("button", { name: "Close" }).focus();
      await page.keyboard.press("Enter");
      await page.getByRole("dialog").waitFor({ state: "detached" });
      expect(await focused(page)).toMatch(/^Wednesday 13:00–14:00/);
    }));

  it("single letters do nothing while one types, and nothing at all when they are turned off", () =>
    open({}, { place: "/models?project=sample" }, async (page) => {
      await page.getByRole("searchbox").pressSequentially("gm?");
      expect(await page.getByRole("dialog").count()).toBe(0);
      expect(new URL(page.url()).searchParams.get("q")).toBe("gm?");
      await page.locator("h2").first().click();
      await page.keyboard.press("?");
      await page.getByRole("checkbox").uncheck();
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      expect(await page.getByRole("dialog").count()).toBe(0);
    }));
});
