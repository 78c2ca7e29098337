import type { Browser, Page } from "playwright-core";
import { expect } from "vitest";
import { type Look, openContext, openPage } from "./support.ts";

/** A page of its own in the test, whose complaints must be none. */
export async function withPageOf(
  browser: Browser,
  look: Look,
  use: (page: Page) => Promise<void>,
): Promise<void> {
  const context = await openContext(browser, look);
  const { page, complaints } = await openPage(context);
  try {
    await use(page);
    expect(complaints).toEqual([]);
  } finally {
    await context.close();
  }
}
