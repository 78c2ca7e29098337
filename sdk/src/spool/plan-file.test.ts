import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { createPlanFile } from "./plan-file.ts";

let folder = "";
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-plan-"));
});
afterEach(() => fs.rmSync(folder, { recursive: true, force: true }));

it("a plan is kept in a file that is whole at every moment, whoever writes it", async () => {
  const file = path.join(folder, "deep", "plan.json");
  const stores = [createPlanFile({ file }), createPlanFile({ file })];
  expect(stores[0]?.read()).toBeNull();
  const texts = Array.from({ length: 40 }, (_, i) => JSON.stringify({ i, filler: "x".repeat(i * 1_000) }));
  const writing = texts.map((text, i) => stores[i % 2]?.write(text));
  let isDone = false;
  const all = Promise.all(writing).then(() => {
    isDone = true;
  });
  while (!isDone) {
    const text = stores[0]?.read();
    if (typeof text === "string") expect(texts).toContain(text);
    await new Promise(setImmediate);
  }
  await all;
  expect(fs.readdirSync(path.dirname(file))).toEqual(["plan.json"]);
  expect(fs.statSync(file).mode & 0o077).toBe(0);
});

it("a file that cannot be read or written is told, and leaves nothing behind", async () => {
  const file = path.join(folder, "plan.json");
  fs.mkdirSync(file);
  const store = createPlanFile({ file });
  expect(() => store.read()).toThrow();
  await expect(store.write("{}")).rejects.toThrow();
  expect(fs.readdirSync(folder)).toEqual(["plan.json"]);
});
