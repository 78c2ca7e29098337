import fs from "node:fs";
import path from "node:path";
import pino from "pino";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import type { OpenedDatabase } from "../../db/open-database.ts";
import { runProfiles } from "../../server/capacity/profile-job.ts";
import { createSample } from "../../server/demo/sample.ts";
import type { Settings } from "../../server/env.ts";
import { createEpisodeJobs } from "../../server/episodes/job.ts";
import { runRollup } from "../../server/rollup/job.ts";
import { type RunningServer, startServer } from "../../server/server.ts";

export const root = path.join(import.meta.dirname, "..", "..");
export const ADMIN_TOKEN = "an-admin-token-for-browser-tests";
/** A Wednesday, 13:30 in New York: a busy hour of the sample. Server and browser both take it for now. */
export const NOW = Date.parse("2026-11-25T18:30:00Z");
const DAY_MS = 86_400_000;

/** The browser to test with: the one that is named, else one of the machine's. */
export function findBrowser(): string {
  const named = process.env["BUSYHOUR_TEST_CHROMIUM"];
  const places = [
    ...(named === undefined ? [] : [named]),
    "/usr/bin/chromium",
    "/usr/bin/chromium-browser",
    "/usr/bin/google-chrome",
  ];
  const found = places.find((place) => fs.existsSync(place));
  if (found === undefined)
    throw new Error(
      `no browser: none of ${places.join(", ")} exists; install Chromium or set BUSYHOUR_TEST_CHROMIUM`,
    );
  return found;
}

export function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: findBrowser(),
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}

/** The pages as they are shipped; the test run has seen to it that they are built. */
export const webFolder = path.join(root, "dist", "web");

export interface Dashboard {
  readonly server: RunningServer;
  readonly url: string;
  readonly now: () => number;
  /** Puts events in, as a source would; an answer of any kind. */
  post(events: readonly unknown[]): Promise<Response>;
  /** Runs what the clock would run. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
}

/** A server with the built pages; its time stands still at `NOW` unless another clock is given. */
export async function startDashboard(
  database: OpenedDatabase,
  now = () => NOW,
  more: Partial<Pick<Settings, "oidc" | "outgoingAllow">> = {},
): Promise<Dashboard> {
  const server = await startServer({
    settings: {
      port: 0,
      host: "127.0.0.1",
      adminToken: ADMIN_TOKEN,
      roles: ["http"],
      rawRetentionDays: 400,
      ...more,
    },
    database,
    version: "test",
    webFolder,
    now,
    log: pino({ level: "silent" }),
  });
  const catchUp = async () => {
    await runRollup(server.core.jobSql, now());
    await runProfiles(server.core.jobSql, now());
    const episodes = createEpisodeJobs(server.core.jobSql);
    await episodes.runNightly(now());
    await episodes.runLive(now());
    await server.core.flushSources();
  };
  return {
    server,
    url: server.url,
    now,
    post: (events) =>
      fetch(`${server.url}/v1/attempts`, {
        method: "POST",
        headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
        body: JSON.stringify({ attempts: events }),
      }),
    catchUp,
    close: () => server.close(),
  };
}

/** Fills the sample project with so many days that end now. */
export async function fillSample(
  { server, catchUp }: Dashboard,
  days: number,
  nowMs: number = NOW,
): Promise<void> {
  await createSample({ ...server.sampleDeps, rawRetentionDays: days }, nowMs);
  await catchUp();
}

/** Calls of one model within the last hours, too few for most of the week. */
export function thinEvents(): unknown[] {
  return Array.from({ length: 60 }, (_, i) => ({
    eventId: `thin-${i}`,
    occurredAt: new Date(NOW - i * 17 * 60_000).toISOString(),
    source: "my-app",
    provider: "openai",
    model: "gpt-5",
    endpoint: "api.openai.com",
    outcome: i % 9 === 4 ? "capacity" : "ok",
    latencyMs: 800 + 37 * i,
    firstTokenMs: 200 + 11 * i,
  }));
}

/** Sends spans of model calls that all went well, as an instrument of that name would. */
export function postSpans(
  { url }: Dashboard,
  { service, instrument, count }: { service: string; instrument: string; count: number },
): Promise<Response> {
  const text = (key: string, stringValue: string) => ({ key, value: { stringValue } });
  const spans = Array.from({ length: count }, (_, i) => ({
    traceId: `${Buffer.from(service).toString("hex").padStart(28, "0").slice(-28)}abcd`,
    spanId: (i + 1).toString(16).padStart(16, "0"),
    name: "chat",
    kind: 3,
    startTimeUnixNano: `${NOW - 3_600_000 + i * 1_000}000000`,
    endTimeUnixNano: `${NOW - 3_600_000 + i * 1_000 + 800}000000`,
    attributes: [
      text("gen_ai.operation.name", "chat"),
      text("gen_ai.provider.name", "openai"),
      text("gen_ai.request.model", "gpt-5"),
    ],
  }));
  return fetch(`${url}/v1/traces`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({
      resourceSpans: [
        {
          resource: { attributes: [text("service.name", service)] },
          scopeSpans: [{ scope: { name: instrument }, spans }],
        },
      ],
    }),
  });
}

export interface Look {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly language?: "en" | "zh";
  readonly isSignedIn?: boolean;
}

const HEIGHTS: Readonly<Record<number, number>> = { 390: 844, 768: 1024 };

const viewportOf = ({ width = 1440 }: Look) => ({ width, height: HEIGHTS[width] ?? 900 });

export function openContext(browser: Browser, look: Look = {}): Promise<BrowserContext> {
  const { theme = "light", language = "en", isSignedIn = true } = look;
  return browser.newContext({
    viewport: viewportOf(look),
    colorScheme: theme,
    locale: language === "zh" ? "zh-CN" : "en-GB",
    timezoneId: "Europe/Berlin",
    reducedMotion: "reduce",
    ...(isSignedIn ? { extraHTTPHeaders: { authorization: `Bearer ${ADMIN_TOKEN}` } } : {}),
  });
}

export interface OpenedPage {
  readonly page: Page;
  /** What it says in the console, and errors that nothing caught. */
  readonly complaints: string[];
}

/** A page whose clock stands at `NOW`. */
export async function openPage(context: BrowserContext): Promise<OpenedPage> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("console", (message) => {
    // What the server refuses the browser logs by itself; tests look at what the page makes of it.
    if (message.type() === "error" && !message.text().startsWith("Failed to load resource"))
      complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.clock.setFixedTime(NOW);
  return { page, complaints };
}

/** Clock, size and theme of a page as they were when it was opened. */
export async function settlePage(page: Page, look: Look): Promise<void> {
  await page.clock.setFixedTime(NOW);
  await page.setViewportSize(viewportOf(look));
  await page.emulateMedia({ colorScheme: look.theme ?? "light" });
}

/** Goes there and waits until nothing is loading any more. */
export async function visit(page: Page, url: string): Promise<void> {
  await page.goto(url);
  await page.waitForLoadState("networkidle");
  await page.waitForSelector("h1", { state: "attached" });
  await page.waitForFunction(() => document.querySelector("[aria-busy=true]") === null);
}

export const daysAgo = (days: number) => new Date(NOW - days * DAY_MS).toISOString();
