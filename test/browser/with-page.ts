import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { type Look, type OpenedPage, openContext, openPage, settlePage } from "./support.ts";

/** Pages that nobody uses, by their look: to open one takes as long as to look at it. */
const idle = new WeakMap<Browser, Map<string, OpenedPage>>();

/**
 * A page that remembers nothing, whose complaints must be none.
 *
 * It may have been another test's before: cookies, storage, routes and listeners of that are gone, scripts that it added
 * are not. The page of a test that fails is not used again.
 */
export async function withPageOf(
  browser: Browser,
  look: Look,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const pages = idle.get(browser) ?? new Map<string, OpenedPage>();
  idle.set(browser, pages);
  const key = JSON.stringify(look);
  const opened = pages.get(key) ?? (await openPage(await openContext(browser, look)));
  pages.delete(key);
  const { page, complaints } = opened;
  let isReusable = false;
  try {
    await settlePage(page, look);
    await use(page);
    expect(complaints).toEqual([]);
    await clearPage(page);
    isReusable = !pages.has(key);
  } finally {
    if (isReusable) pages.set(key, opened);
    else await page.context().close();
  }
}

async function clearPage(page: Page): Promise<void> {
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await page.unrouteAll({ behavior: "ignoreErrors" });
  page.removeAllListeners("request");
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await page.goto("about:blank");
}
