import path from "node:path";
import zlib from "node:zlib";
import { build } from "esbuild";
import { describe, expect, it } from "vitest";

const sdk = path.join(import.meta.dirname, "..");

/** What an app carries that imports this: bundled for browsers, minified, in gzip. */
async function measure(source: string) {
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: sdk },
    bundle: true,
    minify: true,
    write: false,
    format: "esm",
    platform: "browser",
    target: ["es2022", "safari16.4"],
  });
  const text = outputFiles[0]?.text ?? "";
  return { text, gzipBytes: zlib.gzipSync(text, { level: 9 }).length };
}

describe("in a bundle", () => {
  it("all rules take less than 9.7 kB, and classify with them less than 19 kB", async () => {
    const rules = await measure('export * from "./classify/rules/index.ts"');
    const whole = await measure('export { classify } from "./index.ts"');
    expect(rules.gzipBytes).toBeGreaterThan(4_000);
    expect(rules.gzipBytes).toBeLessThan(9_700);
    expect(whole.gzipBytes).toBeLessThan(19_000);
  });

  it("the words for people are left out where nobody uses them", async () => {
    const { text } = await measure('export { classify } from "./index.ts"');
    expect(text).not.toContain("余额或套餐用尽");
    expect(text).not.toContain("The servers were too full to begin in time.");
  });

  it("uses nothing of Node and no regular expression that older Safari lacks", async () => {
    const { text } = await measure('export * from "./index.ts"');
    expect(text).not.toMatch(/\brequire\(|\bprocess\.|from"node:|\bBuffer\b/);
    expect(text).not.toMatch(/\(\?<[=!]/);
  });
});
