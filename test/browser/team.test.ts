import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { Provider } from "oidc-provider";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createTestDatabase } from "../support/database.ts";
import { type Dashboard, launchBrowser, NOW, startDashboard, visit } from "./support.ts";
import { call, fillTeam, invite, linkFor, PASSWORD } from "./team.ts";
import { withPageOf } from "./with-page.ts";

let dashboard: Dashboard;
let browser: Browser;
let answer: RequestListener = (_req, res) => res.writeHead(503).end();
const http = createServer((req, res) => answer(req, res));

/** A provider of identities in which everybody may be anybody: the name that one signs in with is one's account. */
function createProvider(issuer: string, returnUrl: string): RequestListener {
  const provider = new Provider(issuer, {
    clients: [{ client_id: "busyhour", client_secret: "a-secret-of-the-client", redirect_uris: [returnUrl] }],
    cookies: { keys: ["a key for cookies"] },
    claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name"] },
    pkce: { required: () => true },
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        name: `${id} of ID`,
        email: `${id}@example.org`,
        email_verified: id !== "mallory",
      }),
    }),
  });
  return provider.callback();
}

beforeAll(async () => {
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const issuer = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const oidc = {
    issuer,
    clientId: "busyhour",
    clientSecret: "a-secret-of-the-client",
    name: "Test ID",
  };
  dashboard = await startDashboard(await createTestDatabase(), () => NOW, { oidc });
  await fillTeam(dashboard);
  answer = createProvider(issuer, `${dashboard.url}/sign-in/oidc/return`);
  browser = await launchBrowser();
}, 240_000);

afterAll(async () => {
  await browser?.close();
  await dashboard?.close();
  http.closeAllConnections();
  http.close();
});

const withStranger = (use: (page: Page) => Promise<void>) =>
  withPageOf(browser, { isSignedIn: false }, async (page) => {
    page.setDefaultTimeout(60_000);
    // The provider's own pages want fonts from elsewhere.
    await page.route(
      (url) => url.hostname !== "127.0.0.1",
      (route) => route.abort(),
    );
    await use(page);
  });

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });
const who = (page: Page) =>
  page.evaluate(async () => (await (await fetch("/api/me")).json()).person?.name ?? null);

/** Signs in at the provider, and lets it tell us who that is. */
async function passProvider(page: Page, name: string): Promise<void> {
  await page.getByRole("link", { name: "Sign in with Test ID" }).click();
  await page.locator("input[name=login]").fill(name);
  await page.locator("input[name=password]").fill("any");
  await page.locator("button[type=submit]").click();
  await page.locator("button[type=submit]", { hasText: "Continue" }).click();
  await page.waitForURL((url) => url.origin === dashboard.url);
}

describe("OpenID Connect", { timeout: 180_000 }, () => {
  it("turns a stranger away in words", () =>
    withStranger(async (page) => {
      await visit(page, dashboard.url);
      await passProvider(page, "stranger");
      await page.getByText("You are known there, but have no account here").waitFor();
      expect(await page.evaluate(async () => (await fetch("/api/me")).status)).toBe(401);
    }));

  it("takes in whoever has an invitation, and lets them in again without one", () =>
    withStranger(async (page) => {
      await visit(page, await invite(dashboard, "shop"));
      await page.getByRole("heading", { name: "Join “Shop”" }).waitFor();
      await passProvider(page, "nora");
      await page.getByRole("combobox", { name: "Project" }).waitFor();
      expect(await who(page)).toBe("nora of ID");
      await page.evaluate(() => fetch("/api/sign-out", { method: "POST" }));
      await visit(page, dashboard.url);
      await page.getByRole("link", { name: "Sign in with Test ID" }).click();
      await page.getByRole("combobox", { name: "Project" }).waitFor();
      expect(await who(page)).toBe("nora of ID");
    }));

  it("knows an account by an e-mail that the provider has verified, and by no other", async () => {
    await call(dashboard, "POST", "/api/users", { name: "Mia", email: "mia@example.org" });
    await call(dashboard, "POST", "/api/users", { name: "Not Mallory", email: "mallory@example.org" });
    await withStranger(async (page) => {
      await visit(page, dashboard.url);
      await passProvider(page, "mia");
      expect(await page.evaluate(async () => (await fetch("/api/me/sessions")).status)).toBe(200);
      await page.getByText("There is no such project").waitFor();
    });
    await withStranger(async (page) => {
      await visit(page, dashboard.url);
      await passProvider(page, "mallory");
      await page.getByText("You are known there, but have no account here").waitFor();
    });
  });

  it("takes no way back that it did not send anybody on", () =>
    withStranger(async (page) => {
      await visit(page, `${dashboard.url}/sign-in/oidc/return?code=abc&state=xyz`);
      await page.getByText("Signing in broke off on its way back").waitFor();
      await page.goto(`${dashboard.url}/sign-in/oidc`);
      await visit(page, `${dashboard.url}/sign-in/oidc/return?code=abc&state=of-another`);
      await page.getByText("Signing in broke off on its way back").waitFor();
    }));
});

describe("a team", { timeout: 180_000 }, () => {
  it("signs in by password, and is told the same for any wrong one", () =>
    withStranger(async (page) => {
      await visit(page, `${dashboard.url}/settings/people?project=shop`);
      await page.getByLabel("E-mail").fill("ada@example.org");
      await page.getByLabel("Password").fill("wrong");
      await button(page, "Sign in").click();
      await page.getByText("E-mail or password is wrong").waitFor();
      await page.getByLabel("Password").fill(PASSWORD);
      await button(page, "Sign in").click();
      await page.getByRole("heading", { name: "Members" }).waitFor();
      await page.getByRole("row", { name: /Vera Rubin/ }).waitFor();
    }));

  it("sees and changes what its roles allow", () =>
    withStranger(async (page) => {
      await page.goto(await linkFor(dashboard, "Vera Rubin"));
      await visit(page, `${dashboard.url}/settings`);
      const parts = page.getByRole("navigation", { name: "Settings" }).getByRole("link");
      expect(await parts.allTextContents()).toEqual(["Account"]);
      await visit(page, `${dashboard.url}/settings/keys`);
      await page.getByText("This is for admins of the project.").waitFor();
      await visit(page, `${dashboard.url}/sources`);
      await page.getByText("Keys are made by admins of the project").waitFor();
      expect(await button(page, /^Revoke/).count()).toBe(0);
      await visit(page, `${dashboard.url}/?project=default`);
      await page.getByText("There is no such project").waitFor();
    }));

  it("makes and replaces keys, invites, joins, and finds all of it in the audit log", async () => {
    let link = "";
    await withStranger(async (page) => {
      await page.goto(await linkFor(dashboard, "Ada Lovelace"));
      await visit(page, `${dashboard.url}/settings/keys?project=shop`);
      await page.getByLabel("Name").fill("till");
      await page.getByLabel("Events a minute").fill("60");
      await button(page, "Create key").click();
      const secret = page.getByRole("status").locator("code");
      expect(await secret.textContent()).toMatch(/^bhi_[\w-]{43}$/);
      await button(page, "Rotate till").click();
      await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
      await page.getByRole("dialog").waitFor({ state: "detached" });
      await page.getByRole("row", { name: /till .*\(replaced\)/ }).waitFor();

      await page.getByRole("link", { name: "People" }).click();
      await page.getByLabel("For whom").fill("Tim");
      await button(page, "Create a link").click();
      link = (await page.getByRole("status").locator("code").textContent()) ?? "";
      await page.getByRole("row", { name: /^Tim/ }).waitFor();
    });
    await withStranger(async (page) => {
      await visit(page, link);
      await page.getByLabel("Name").fill("Tim Berners-Lee");
      await page.getByLabel("E-mail").fill("tim@example.org");
      await page.getByLabel("Password").fill("weaving all day");
      await button(page, "Create account and join").click();
      await page.getByRole("combobox", { name: "Project" }).waitFor();
      expect(await who(page)).toBe("Tim Berners-Lee");
      await visit(page, link);
      await page.getByText("This invitation does not work").waitFor();
    });
    await withStranger(async (page) => {
      await page.goto(await linkFor(dashboard, "Ada Lovelace"));
      await visit(page, `${dashboard.url}/settings/audit?project=shop`);
      await page.getByRole("row", { name: /Ada Lovelace Key created: till/ }).waitFor();
      await page.getByRole("searchbox").fill("tim b");
      await page.getByRole("row", { name: /Role given: Tim Berners-Lee/ }).waitFor();
      await page.getByRole("row", { name: /till/ }).first().waitFor({ state: "detached" });
    });
  });

  it("switches between its projects in the header", () =>
    withStranger(async (page) => {
      await page.goto(await linkFor(dashboard, "Ada Lovelace"));
      await visit(page, `${dashboard.url}/settings`);
      const picker = page.getByRole("combobox", { name: "Project" });
      expect(await picker.locator("option").allTextContents()).toEqual(["Shop", "Support bot"]);
      await picker.selectOption("support-bot");
      await page.getByText("Viewer here").waitFor();
      expect(new URL(page.url()).searchParams.get("project")).toBe("support-bot");
    }));
});
