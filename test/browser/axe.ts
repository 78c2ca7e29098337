import fs from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { root } from "./support.ts";

const axe = fs.readFileSync(path.join(root, "node_modules", "axe-core", "axe.min.js"), "utf8");

/** What axe finds wrong with the page as it is now, each with where and why. */
export async function listViolations(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe);
  return page.evaluate(async () => {
    // biome-ignore lint/suspicious/noExplicitAny: axe comes as a script
    const results = await (globalThis as any).axe.run(document, { resultTypes: ["violations"] });
    return results.violations.map(
      (violation: { id: string; nodes: { html: string; failureSummary: string }[] }) =>
        `${violation.id}: ${violation.nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`).join("\n")}`,
    );
  });
}
