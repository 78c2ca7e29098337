import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";
import { createShell } from "../cli/support.ts";
import { type App, buildPackageBeforeAll, startApp } from "../sdk/support.ts";

const TOKEN = "a-token-for-the-test";
const shell = createShell({ BUSYHOUR_ADMIN_TOKEN: TOKEN });
buildPackageBeforeAll();

const kept = path.join(shell.folder, "kept", "plan.json");
const planOf = (...targets: object[]) => ({ timeZone: "UTC", chains: { default: { targets } } });
const flagship = { id: "flagship", provider: "local", model: "big" };
const light = { id: "light", provider: "local", model: "small" };

/** An app that asks its router all the time, and prints each change of what serves it. */
const startRouter = (url: string, more: string) =>
  startApp(`
import { createRouter } from "@busyhour/sdk";
import { createPlanFile } from "@busyhour/sdk/spool";
const router = createRouter({
  providers: { local: async (input, { model }) => model },
  chain: { targets: ${JSON.stringify([flagship, light])} },
  source: "app",
  plan: { url: ${JSON.stringify(url)}, key: "${TOKEN}", store: createPlanFile({ file: ${JSON.stringify(kept)} }) },
});
let [calls, failures, last] = [0, 0, ""];
async function ask() {
  calls++;
  const { value, planVersion } = await router.run("hi").catch(() => { failures++; return {}; });
  if (last !== \`\${value} by \${planVersion}\`) console.log((last = \`\${value} by \${planVersion}\`));
}
${more}`);

const KEEP_ASKING = `
const asking = setInterval(ask, 20);
process.stdin.on("data", () => {
  clearInterval(asking);
  console.log(\`calls \${calls} failures \${failures}.\`);
  process.stdin.destroy();
});`;

async function secondsUntil(app: App, text: string): Promise<number> {
  const startedMs = performance.now();
  await app.waitFor(text);
  return (performance.now() - startedMs) / 1_000;
}

it("a published plan reaches a running router, outlives the server, and is rolled back", {
  timeout: 240_000,
}, async () => {
  const file = path.join(shell.folder, "plan.json");
  let server = shell.start(["start"]);
  const [, url = ""] = await server.until(/(http:\/\/127\.0\.0\.1:\d+)\/sign-in\?token=/);
  const call = async (method: string, route: string, body?: unknown) => {
    const response = await fetch(url + route, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(await response.text());
    return response.json();
  };
  const app = startRouter(url, KEEP_ASKING);
  await app.waitFor("big by null\n");

  fs.writeFileSync(file, JSON.stringify(planOf(light, flagship)));
  const published = await shell.run(["plan", "publish", file, "--reason", "to try it"]);
  expect([published.code, published.stdout, published.stderr]).toEqual([
    0,
    "1\n",
    expect.stringContaining("Version 1 is published"),
  ]);
  expect(await secondsUntil(app, "small by 1\n")).toBeLessThan(5);
  const [router] = (await call("GET", "/api/routers")).routers;
  expect(router).toMatchObject({
    source: "app",
    planVersion: 1,
    state: "current",
    targets: [{ target: "light" }, {}],
  });

  server.process.kill("SIGKILL");
  await server.finished;
  const orphan = startRouter(url, KEEP_ASKING);
  await orphan.waitFor("small by 1\n");
  expect(orphan.output()).not.toContain("by null");
  await sleep(1_000);

  server = shell.start(["start"], "", { PORT: new URL(url).port });
  await server.until(/sign-in\?token=/);
  const brandNew = { id: "new", provider: "local", model: "never-heard-of" };
  await call("POST", "/api/plans/publish", {
    document: planOf(brandNew, light),
    basedOn: 1,
    reason: "a new model",
  });
  // Both have been without a server for a while, and ask it again within seconds of its return.
  for (const one of [app, orphan]) expect(await secondsUntil(one, "never-heard-of by 2\n")).toBeLessThan(10);
  await call("POST", "/api/plans/rollback", { version: 1, basedOn: 2, reason: "it was worse" });
  for (const one of [app, orphan]) expect(await secondsUntil(one, "small by 3\n")).toBeLessThan(5);
  // Whoever has nothing left to do ends, however long the server holds its request for news.
  const script = startRouter(
    url,
    `await ask();\nawait new Promise((resolve) => setTimeout(resolve, 3_000));\nconsole.log("done");`,
  );
  expect(await secondsUntil(script, "done")).toBeGreaterThan(2.5);
  const doneMs = performance.now();
  expect(await script.ended).toMatchObject({ code: 0 });
  expect(performance.now() - doneMs).toBeLessThan(2_000);
  for (const one of [app, orphan]) {
    one.process.stdin?.write("stop\n");
    expect(await one.ended).toMatchObject({ code: 0 });
    expect(one.output()).toMatch(/calls \d{2,} failures 0\.\n$/);
  }
  server.process.kill("SIGTERM");
  expect((await server.finished).code).toBe(0);
});
