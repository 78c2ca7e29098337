import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { aFolder, buildPackageBeforeAll, type Sink, startApp, startSink } from "./support.ts";

buildPackageBeforeAll();

/** An app that reports three events and goes on as `then` says. */
const app = ({ url }: Sink, then: string, options = "") =>
  startApp(`
    const reporter = createReporter({ url: ${JSON.stringify(url)}, key: "k", exitTimeoutMs: 1_000, onProblem: () => {}, ${options} });
    const report = (eventId) => reporter.report({ eventId, occurredAt: Date.now(), provider: "p", model: "m" });
    for (const id of ["a", "b", "c"]) report(id);
    ${then}`);

const once = new Map([
  ["a", 1],
  ["b", 1],
  ["c", 1],
]);

/** Keeps an app alive, as a server would, and says that it is there. */
const STAY = `setInterval(() => {}, 1_000); console.log("ready");`;

describe("the end of an app", () => {
  it("that has nothing left to do comes at once, after what waited was sent", async () => {
    const sink = await startSink();
    expect(await app(sink, "").ended).toMatchObject({ code: 0, signal: null });
    expect(sink.arrived).toEqual(once);
  });

  it("comes as well when the server is away, or hangs", async () => {
    const sink = await startSink();
    sink.mode = 503;
    expect(await app(sink, "").ended).toMatchObject({ code: 0 });
    sink.mode = "hang";
    expect(await app(sink, "").ended).toMatchObject({ code: 0 });
    sink.close();
    expect(await app(sink, "").ended).toMatchObject({ code: 0 });
    expect(sink.arrived.size).toBe(0);
  });

  it("by SIGTERM is the same for whoever looks at it, after what waited was sent", async () => {
    const sink = await startSink();
    const one = app(sink, STAY);
    await one.waitFor("ready");
    one.process.kill("SIGTERM");
    expect(await one.ended).toMatchObject({ code: null, signal: "SIGTERM" });
    expect(sink.arrived).toEqual(once);
  });

  it("by SIGTERM does not wait for a server that hangs, and a second signal ends it at once", async () => {
    const sink = await startSink();
    sink.mode = "hang";
    const patient = app(sink, STAY);
    const hasty = app(sink, STAY, "exitTimeoutMs: 600_000");
    await Promise.all([patient.waitFor("ready"), hasty.waitFor("ready")]);
    for (const { process } of [patient, hasty]) process.kill("SIGTERM");
    expect(await patient.ended).toMatchObject({ signal: "SIGTERM" });
    hasty.process.kill("SIGTERM");
    expect(await hasty.ended).toMatchObject({ signal: "SIGTERM" });
  });

  it("is left to the app where the app listens for SIGTERM itself", async () => {
    const sink = await startSink();
    const one = app(
      sink,
      `process.on("SIGTERM", async () => {
         console.log("others", process.listenerCount("SIGTERM"));
         report("d");
         await reporter.close();
         process.exit(7);
       }); ${STAY}`,
    );
    await one.waitFor("ready");
    one.process.kill("SIGTERM");
    expect(await one.ended).toMatchObject({ code: 7, signal: null });
    // It sees itself alone, as libraries that count listeners must.
    expect(one.output()).toContain("others 1");
    expect(sink.arrived).toEqual(new Map([...once, ["d", 1]]));
  });

  it("by process.exit() loses nothing with a spool: the next process sends it", async () => {
    const sink = await startSink();
    const folder = aFolder();
    const spool = `spool: createSpool({ folder: ${JSON.stringify(folder)} })`;
    expect(await app(sink, "process.exit(3);", spool).ended).toMatchObject({ code: 3 });
    expect(sink.arrived.size).toBe(0);
    const next = startApp(`
      const reporter = createReporter({ url: ${JSON.stringify(sink.url)}, key: "k", ${spool} });
      while (reporter.stats().adopted < 3) await new Promise(setImmediate);
      await reporter.close();`);
    expect(await next.ended).toMatchObject({ code: 0 });
    expect(sink.arrived).toEqual(once);
    expect(fs.readdirSync(folder)).toEqual([]);
  });
});

describe("kill -9", () => {
  it("loses nothing that was written, whatever was under way, and leaves no file to nobody", async () => {
    const sink = await startSink();
    const folder = aFolder();
    const reporter = `createReporter({ url: ${JSON.stringify(sink.url)}, key: "k", maxBatchEvents: 50,
      flushIntervalMs: 20, onProblem: () => {}, spool: createSpool({ folder: ${JSON.stringify(folder)} }) })`;
    const written = new Set<string>();
    for (const [round, mode] of (["take", 503, "take"] as const).entries()) {
      sink.mode = mode;
      const both = ["x", "y"].map((name) =>
        startApp(`
          const { report } = ${reporter};
          for (let n = 1; ; n++) {
            report({ eventId: "${round}${name}-" + n, occurredAt: Date.now(), provider: "p", model: "m" });
            if (n % 7 === 0) await new Promise((resolve) => setTimeout(resolve, 3));
            if (n === 700) console.log("there");
          }`),
      );
      await Promise.all(both.map((one) => one.waitFor("there")));
      for (const one of both) one.process.kill("SIGKILL");
      await Promise.all(both.map((one) => one.ended));
      for (const id of [...sink.arrived.keys(), ...listWritten(folder)]) written.add(id);
    }
    expect(written.size).toBeGreaterThan(6 * 500);
    sink.mode = "take";
    // What the dead have left is found from time to time, not all at once.
    const last = startApp(`
      const { readdirSync } = await import("node:fs");
      const reporter = ${reporter};
      do {
        await new Promise((resolve) => setTimeout(resolve, 20));
        await reporter.flush();
      } while (readdirSync(${JSON.stringify(folder)}).some((name) => name.endsWith(".ndjson")));
      await reporter.close();`);
    expect(await last.ended).toMatchObject({ code: 0 });
    expect(new Set(sink.arrived.keys())).toEqual(written);
    expect(fs.readdirSync(folder)).toEqual([]);
    // A dead owner whose number another process has by now is known by two minutes of silence.
  }, 240_000);

  function listWritten(folder: string): string[] {
    return fs
      .readdirSync(folder)
      .filter((name) => name.endsWith(".ndjson"))
      .flatMap((name) => fs.readFileSync(path.join(folder, name), "utf8").match(/^\{.*\}$/gm) ?? [])
      .map((line) => JSON.parse(line).eventId);
  }
});
