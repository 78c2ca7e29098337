import { expect, test } from "vitest";
import type { PostmasterRun } from "./postmaster.ts";
import { restartDelayMs, supervise } from "./supervise.ts";

/** A server that ends when `die` is called. */
function aRun(pid: number) {
  const { promise: exited, resolve: die } = withResolvers();
  const run: PostmasterRun = { pid, exited, stop: async () => die() };
  return { run, die };
}

function withResolvers() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve: () => resolve() };
}

const delayMs = () => 0;

test("starts a server that ended by itself again, as often as it takes", async () => {
  const first = aRun(1);
  const second = aRun(2);
  const lines: string[] = [];
  const isBack = withResolvers();
  let tries = 0;
  const restart = async () => {
    if (++tries < 3) throw new Error("not yet");
    return second.run;
  };
  const say = (line: string) => {
    lines.push(line);
    if (line.includes("back")) isBack.resolve();
  };
  const server = supervise({ first: first.run, restart, say, delayMs });
  first.die();
  await isBack.promise;
  await Promise.resolve();
  expect(tries).toBe(3);
  expect(server.pid()).toBe(2);
  expect(lines).toEqual([
    "The database ended by itself: starting it again.",
    "It did not start: not yet",
    "It did not start: not yet",
    "The database is back.",
  ]);
  await server.stop();
  expect(server.pid()).toBeNull();
});

test("does not start it again once told to stop", async () => {
  const first = aRun(1);
  const restart = () => Promise.reject(new Error("must not be called"));
  const server = supervise({ first: first.run, restart, say: () => {}, delayMs });
  await server.stop();
  await server.stop();
  expect(server.pid()).toBeNull();
});

test("stops in the middle of starting again", async () => {
  const first = aRun(1);
  const isRestarting = withResolvers();
  const restart = (signal: AbortSignal) =>
    new Promise<PostmasterRun>((_, reject) => {
      signal.addEventListener("abort", () => reject(signal.reason));
      isRestarting.resolve();
    });
  const server = supervise({ first: first.run, restart, say: () => {}, delayMs });
  first.die();
  await isRestarting.promise;
  await server.stop();
  expect(server.pid()).toBeNull();
});

test("waits longer each time, and no longer than 15 s", () => {
  expect([0, 1, 2, 7, 8, 1000].map(restartDelayMs)).toEqual([100, 200, 400, 12_800, 15_000, 15_000]);
});
