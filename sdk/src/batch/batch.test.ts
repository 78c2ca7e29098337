import { describe, expect, it } from "vitest";
import type { Outcome } from "../outcome.ts";
import { createRouter } from "../router/router.ts";
import {
  BAD_KEY,
  BAD_REQUEST,
  BROKEN,
  type Deed,
  FULL,
  fullFor,
  NO_MONEY,
  TOO_LONG,
  toClientError,
} from "../router/scripted-providers.ts";
import { createVirtualTime } from "../router/virtual-time.ts";
import { isBatchError } from "./batch-error.ts";
import { runBatch } from "./run-batch.ts";
import type {
  BatchOptions,
  BatchProgress,
  BatchResult,
  BatchStore,
  BatchSummary,
  FinishedItem,
} from "./types.ts";

const CALL_MS = 1_000;
/** What the virtual clock begins with. */
const VIRTUAL_START = createVirtualTime().now();
type Fault = Exclude<Deed, string> | Error | null;

/** A provider that takes a second for each call, and does with it what the test says. */
function aProvider(faultOf: (item: string, call: number, atMs: number) => Fault = () => null) {
  const time = createVirtualTime();
  const calls: { item: string; atMs: number }[] = [];
  const state = { inFlight: 0, most: 0 };
  async function run(item: string, { signal }: { signal: AbortSignal }): Promise<string> {
    calls.push({ item, atMs: time.elapsed() });
    const count = calls.filter((call) => call.item === item).length;
    state.inFlight++;
    state.most = Math.max(state.most, state.inFlight);
    try {
      await time.sleep(CALL_MS);
      const fault = faultOf(item, count, time.elapsed() - CALL_MS);
      if (fault instanceof Error) throw fault;
      if (fault === null) return item.toUpperCase();
      if ("status" in fault) throw toClientError(fault);
      return await new Promise<never>((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason)),
      );
    } finally {
      state.inFlight--;
    }
  }
  return { time, calls, state, run, callsOf: (item: string) => calls.filter((call) => call.item === item) };
}

/** A store that outlives its batches. */
function aStore(): BatchStore & { readonly lines: BatchResult[]; isOpen: boolean } {
  const lines: BatchResult[] = [];
  const store = {
    name: "results",
    lines,
    isOpen: false,
    async open({ forgetFailed }: { forgetFailed: boolean }) {
      store.isOpen = true;
      const kept = lines.filter(({ outcome }) => !forgetFailed || outcome === "ok");
      lines.splice(0, lines.length, ...kept);
      const finished: FinishedItem[] = lines.map(({ id, outcome, input }) => ({ id, outcome, input }));
      return {
        finished,
        add: async (result: BatchResult) => void lines.push(result),
        close: async () => {
          store.isOpen = false;
        },
      };
    },
  };
  return store;
}

const items = (count: number) => Array.from({ length: count }, (_, i) => `item ${i}`);

/** Lets a batch run in virtual time to its end; a batch's error is given back. */
async function go<Value>(
  { time, run }: Pick<ReturnType<typeof aProvider>, "time" | "run">,
  options: Partial<BatchOptions<string, Value>>,
  untilMs?: number,
) {
  const batch = runBatch<string, unknown>({
    items: [],
    run,
    system: time,
    ...(options as Partial<BatchOptions<string, unknown>>),
  }).catch((error: unknown) => {
    if (isBatchError(error)) return error;
    throw error;
  });
  await time.run(untilMs);
  return batch;
}

describe("a batch", () => {
  it("asks once for each item and gives the results in the order of the input", async () => {
    const provider = aProvider();
    const summary = await go(provider, { items: items(50) });
    expect(summary).toMatchObject({ done: 50, failed: 0, earlier: 0, isComplete: true });
    const { results } = summary as BatchSummary;
    expect(results.map(({ index, value }) => [index, value])).toEqual(
      items(50).map((item, i) => [i, item.toUpperCase()]),
    );
    expect(results[7]).toEqual({
      id: 7,
      index: 7,
      outcome: "ok",
      value: "ITEM 7",
      attempts: 1,
      target: null,
      latencyMs: 1_000,
      finishedAt: expect.stringMatching(/^2026-.*Z$/),
      input: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(provider.calls).toHaveLength(50);
  });

  it("begins with three at once, and with more as they go well, up to what it may", async () => {
    const provider = aProvider();
    await go(provider, { items: items(100), concurrency: 8 });
    expect(provider.calls.filter(({ atMs }) => atMs === 0)).toHaveLength(3);
    expect(provider.state.most).toBe(8);
  });

  it("takes iterables and asynchronous ones, and reads no further ahead than it needs", async () => {
    const provider = aProvider();
    let read = 0;
    async function* stream() {
      for (const item of items(1_000)) {
        read++;
        yield item;
      }
    }
    const controller = new AbortController();
    provider.time.at(1_500, () => controller.abort());
    const summary = await go(provider, { items: stream(), signal: controller.signal });
    expect(summary).toMatchObject({ isComplete: false, done: provider.calls.length });
    expect(read - provider.calls.length).toBeLessThanOrEqual(1);
    expect(await go(aProvider(), { items: new Set(["a", "b"]) })).toMatchObject({ done: 2 });
    expect(await go(aProvider(), { items: [] })).toMatchObject({ done: 0, isComplete: true });
  });

  it("asks again for what found no room, at no cost to the item, and loses none", async () => {
    const provider = aProvider((_, call) => (call <= 7 ? (FULL as Fault) : null));
    const summary = await go(provider, { items: items(4) });
    expect(summary).toMatchObject({ done: 4, failed: 0, isComplete: true });
    for (const item of items(4)) expect(provider.callsOf(item)).toHaveLength(8);
  });

  it("leaves a full provider alone, longer each time, and sends one item ahead", async () => {
    const OUTAGE_MS = 600_000;
    const provider = aProvider((_, __, atMs) => (atMs < OUTAGE_MS ? (FULL as Fault) : null));
    const seen: BatchProgress[] = [];
    const summary = await go(provider, { items: items(200), onProgress: (progress) => seen.push(progress) });
    expect(summary).toMatchObject({ done: 200, failed: 0 });
    const during = provider.calls.filter(({ atMs }) => atMs < OUTAGE_MS);
    expect(during.length).toBeLessThan(60);
    // Between pauses nobody goes beside the one that goes ahead.
    const later = during.filter(({ atMs }) => atMs > 60_000).map(({ atMs }) => atMs);
    for (const [at, ms] of later.entries())
      if (at > 0) expect(ms - (later[at - 1] ?? 0)).toBeGreaterThanOrEqual(CALL_MS);
    expect(seen.filter(({ waiting }) => waiting?.why === "capacity").length).toBeGreaterThan(100);
  });

  it("does not stop for one failure among many that go well", async () => {
    const provider = aProvider((item, call) => (item.endsWith("5") && call === 1 ? (FULL as Fault) : null));
    const seen: BatchProgress[] = [];
    await go(provider, { items: items(200), concurrency: 10, onProgress: (one) => seen.push(one) });
    expect(seen.some(({ waiting }) => waiting !== null)).toBe(false);
    expect(provider.time.elapsed()).toBeLessThan(60_000);
  });

  it.each([
    ["a wait that is stated", fullFor(20) as Fault, 20],
    [
      "a wait until a time that is stated",
      {
        ...(FULL as object),
        headers: { "retry-after": new Date(VIRTUAL_START + 21_000).toUTCString() },
      } as unknown as Fault,
      20,
    ],
    [
      "a day's quota that says when it fills again",
      { ...(NO_MONEY as object), headers: { "retry-after": "3600" } } as unknown as Fault,
      3_600,
    ],
  ])("keeps %s, with all items", async (_, fault, seconds) => {
    const provider = aProvider((item, call) => (item === "item 2" && call === 1 ? fault : null));
    const summary = await go(provider, { items: items(30) });
    expect(summary).toMatchObject({ done: 30, failed: 0 });
    const saidMs = CALL_MS;
    const early = provider.calls.filter(
      ({ atMs }) => atMs > saidMs && atMs < saidMs + Math.min(seconds, 600) * 1_000,
    );
    expect(early).toEqual([]);
  });

  it("goes on after a stated wait of a day, and looks once in ten minutes whether it was meant", async () => {
    const DAY_MS = 86_400_000;
    const limited: Fault = {
      status: 429,
      headers: { "retry-after": "86400" },
      body: { error: { message: "Too many requests", type: "requests", code: "rate_limit_exceeded" } },
    };
    const provider = aProvider((_, __, atMs) => (atMs < DAY_MS ? limited : null));
    const summary = await go(provider, { items: items(10), patienceMs: 60_000 });
    expect(summary).toMatchObject({ done: 10, failed: 0 });
    expect(provider.calls.filter(({ atMs }) => atMs < DAY_MS).length).toBeLessThan(150);
  });

  it.each([
    ["a bad request", BAD_REQUEST as Fault, "invalid_request"],
    ["an input that is too long", TOO_LONG as Fault, "context_length"],
    ["what nobody can name", new Error("no such thing"), "unknown"],
  ])("fails the item alone for %s, at once", async (_, fault, outcome) => {
    const provider = aProvider((item) => (item === "item 3" ? fault : null));
    const store = aStore();
    const summary = await go(provider, { items: items(10), store });
    expect(summary).toMatchObject({ done: 10, failed: 1, isComplete: true });
    expect(store.lines.find(({ id }) => id === 3)).toMatchObject({
      outcome,
      attempts: 1,
      error: { message: expect.any(String) },
    });
    expect(store.lines.find(({ id }) => id === 3)).not.toHaveProperty("value");
    expect(provider.callsOf("item 3")).toHaveLength(1);
  });

  it("tries an item five times that breaks while others go well", async () => {
    const provider = aProvider((item) => (item === "item 100" ? (BROKEN as Fault) : null));
    const store = aStore();
    await go(provider, { items: items(300), concurrency: 3, store });
    expect(provider.callsOf("item 100")).toHaveLength(5);
    expect(store.lines.find(({ id }) => id === 100)).toMatchObject({ outcome: "server_error", attempts: 5 });
  });

  it("does not hold against the items what is wrong with all", async () => {
    const provider = aProvider((_, __, atMs) => (atMs < 300_000 ? (BROKEN as Fault) : null));
    expect(await go(provider, { items: items(40) })).toMatchObject({ done: 40, failed: 0 });
  });

  it("also ends when the last item that is left always breaks", async () => {
    const provider = aProvider((item) => (item === "item 0" ? (BROKEN as Fault) : null));
    expect(await go(provider, { items: items(1) })).toMatchObject({ done: 1, failed: 1, isComplete: true });
    expect(provider.calls).toHaveLength(5);
  });

  it("gives up a call that says nothing, and asks again", async () => {
    const provider = aProvider((item, call) => (item === "item 1" && call === 1 ? { hang: true } : null));
    expect(await go(provider, { items: items(5), timeoutMs: 30_000 })).toMatchObject({ done: 5, failed: 0 });
    expect(provider.callsOf("item 1")).toHaveLength(2);
  });

  it.each([
    ["a bad key", BAD_KEY as Fault, "auth", /^The key is not accepted \(auth: .*Incorrect API key/],
    ["an empty balance", NO_MONEY as Fault, "quota", /^The balance or quota is used up/],
  ])("stops for %s, says so, and keeps what is finished", async (_, fault, outcome, message) => {
    const provider = aProvider((item) => (Number(item.slice(5)) >= 20 ? fault : null));
    const store = aStore();
    const error = await go(provider, { items: items(40_000), store, concurrency: 5 });
    expect(error).toMatchObject({ kind: "refused", outcome, message: expect.stringMatching(message) });
    expect(store.lines).toHaveLength(20);
    expect(store.isOpen).toBe(false);
    expect(provider.calls.length).toBeLessThanOrEqual(20 + 5);
  });

  it("stops when item after item fails: the fault is not theirs", async () => {
    const provider = aProvider(() => BAD_REQUEST as Fault);
    const error = await go(provider, { items: items(1_000) });
    expect(error).toMatchObject({
      kind: "failing",
      outcome: "invalid_request",
      message: expect.stringMatching(/^20 items in a row failed/),
    });
    expect(provider.calls.length).toBeLessThan(30);
  });

  it.each([
    ["its patience", FULL as Fault, 3_600_000, 3_600_000],
    [
      "two minutes, where nobody is at the address",
      Object.assign(new TypeError("fetch failed"), { cause: { code: "ENOTFOUND" } }),
      undefined,
      120_000,
    ],
  ])("gives up after %s", async (_, fault, patienceMs, ms) => {
    const provider = aProvider(() => fault);
    const error = await go(provider, {
      items: items(10),
      ...(patienceMs === undefined ? {} : { patienceMs }),
    });
    expect(error).toMatchObject({ kind: "gave_up" });
    expect(provider.time.elapsed()).toBeGreaterThan(ms);
    expect(provider.time.elapsed()).toBeLessThan(ms + 100_000);
  });

  it("fails an item whose result has no JSON", async () => {
    const time = createVirtualTime();
    const run = async (item: string) => (item === "item 1" ? 1n : undefined);
    const summary = await go({ time, run: run as never }, { items: items(2) });
    expect((summary as BatchSummary).results).toMatchObject([
      { outcome: "ok", value: null },
      { outcome: "bad_output", error: { message: expect.stringContaining("no JSON") } },
    ]);
  });

  it("names an error inside of an answer", async () => {
    const time = createVirtualTime();
    const run = async () => ({ error: { message: "Incorrect API key provided", code: "invalid_api_key" } });
    expect(await go({ time, run: run as never }, { items: items(2) })).toMatchObject({ kind: "refused" });
  });
});

describe("a batch that is told to end", () => {
  it("begins nothing more, lets finish what is under way, and says that it is not complete", async () => {
    const provider = aProvider();
    const store = aStore();
    const controller = new AbortController();
    provider.time.at(2_500, () => controller.abort());
    const summary = await go(provider, { items: items(100), store, signal: controller.signal });
    expect(summary).toMatchObject({ isComplete: false, done: provider.calls.length, failed: 0 });
    expect(store.lines).toHaveLength(provider.calls.length);
    expect(provider.time.elapsed()).toBe(3_000);
  });

  it("waits no longer than its time of grace, and does not count what it cut off", async () => {
    const provider = aProvider((item) => (item === "item 1" ? { hang: true } : null));
    const store = aStore();
    const controller = new AbortController();
    provider.time.at(5_000, () => controller.abort());
    const options = { store, items: items(30), concurrency: 4, graceMs: 7_000 };
    const summary = await go(provider, { ...options, signal: controller.signal });
    expect(summary).toMatchObject({ isComplete: false });
    expect(provider.time.elapsed()).toBe(12_000);
    expect(store.lines.map(({ id }) => id)).not.toContain(1);
    const again = aProvider();
    expect(await go(again, options)).toMatchObject({
      isComplete: true,
      done: 30,
      earlier: store.lines.length - again.calls.length,
    });
    expect(new Set(store.lines.map(({ id }) => id)).size).toBe(30);
  });

  it("ends at once in a wait, and before it has begun", async () => {
    const provider = aProvider(() => fullFor(50) as Fault);
    const controller = new AbortController();
    provider.time.at(10_000, () => controller.abort());
    expect(await go(provider, { items: items(9), signal: controller.signal })).toMatchObject({
      done: 0,
      isComplete: false,
    });
    expect(provider.time.elapsed()).toBe(10_000);
    const other = aProvider();
    expect(await go(other, { items: items(9), signal: AbortSignal.abort() })).toMatchObject({
      done: 0,
      isComplete: false,
    });
    expect(other.calls).toEqual([]);
  });
});

describe("a batch that goes on", () => {
  async function halfway(options: Partial<BatchOptions<string, string>> = {}) {
    const store = aStore();
    const controller = new AbortController();
    const provider = aProvider((item) => (item === "item 2" ? (BAD_REQUEST as Fault) : null));
    provider.time.at(2_500, () => controller.abort());
    await go(provider, { items: items(30), store, signal: controller.signal, ...options });
    expect(store.lines.length).toBeGreaterThan(5);
    return store;
  }

  it("asks only for what is not finished; what failed counts as finished", async () => {
    const store = await halfway();
    const before = store.lines.length;
    const provider = aProvider();
    const seen: BatchProgress[] = [];
    const summary = await go(provider, { items: items(30), store, onProgress: (one) => seen.push(one) });
    expect(summary).toMatchObject({ done: 30, earlier: before, failed: 1, isComplete: true, results: [] });
    expect(provider.calls).toHaveLength(30 - before);
    expect(store.lines.map(({ index }) => index).sort((a, b) => a - b)).toEqual(items(30).map((_, i) => i));
    expect(seen[0]).toMatchObject({ done: before, earlier: before, failed: 1, total: 30 });
  });

  it("tries failed items again when told to", async () => {
    const store = await halfway();
    expect(await go(aProvider(), { items: items(30), store, retryFailed: true })).toMatchObject({
      failed: 0,
      done: 30,
    });
    expect(new Set(store.lines.map(({ id }) => id)).size).toBe(30);
  });

  it("has nothing to do when all is finished", async () => {
    const store = await halfway();
    await go(aProvider(), { items: items(30), store });
    const provider = aProvider();
    expect(await go(provider, { items: items(30), store })).toMatchObject({ isComplete: true, earlier: 30 });
    expect(provider.calls).toEqual([]);
  });

  it.each([
    [
      "an item that was changed",
      ["item 0", "item X", ...items(30).slice(2)],
      {},
      /^Item 2 \(id 1\) is not the one whose result is in results/,
    ],
    ["an item more at the top", ["new", ...items(30)], {}, /^Item 1 \(id 0\) is not the one/],
    [
      "fewer items than results",
      items(3),
      {},
      /^\d+ results in results \(first id: \d+\) belong to items that the input does not have/,
    ],
    [
      "other settings",
      items(30),
      { settings: { model: "another" } },
      /^The settings are not those whose result is in results/,
    ],
  ])("refuses %s before anything is asked", async (_, changed, more, message) => {
    const store = await halfway();
    const provider = aProvider();
    expect(await go(provider, { items: changed, store, ...more })).toMatchObject({
      kind: "changed",
      message: expect.stringMatching(message),
    });
    expect(provider.calls).toEqual([]);
  });

  it("also refuses a change that stands behind what is not finished, before anything is asked", async () => {
    const store = await halfway();
    const unfinished = store.lines.findIndex(({ index }) => index === 0);
    store.lines.splice(unfinished, 1);
    const provider = aProvider();
    const changed = items(30).map((item) => (item === "item 4" ? "item X" : item));
    expect(await go(provider, { items: changed, store })).toMatchObject({ kind: "changed" });
    expect(provider.calls).toEqual([]);
    expect(await go(provider, { items: items(30), store })).toMatchObject({ isComplete: true, done: 30 });
    expect(provider.callsOf("item 0")).toHaveLength(1);
  });

  it("takes items in another order, and new ones, when they have ids", async () => {
    const id = (item: string) => item;
    const store = await halfway({ id });
    const before = store.lines.length;
    const provider = aProvider();
    const summary = await go(provider, { items: ["new", ...items(30).reverse()], store, id });
    expect(summary).toMatchObject({ done: 31, isComplete: true });
    expect(provider.calls).toHaveLength(31 - before);
  });

  it("refuses two items of one id, and a store with results where it is not to go on", async () => {
    const id = (item: string) => item.slice(0, 6);
    expect(await go(aProvider(), { items: items(30), id })).toMatchObject({
      kind: "input",
      message: "Items 2 and 11 have the same id “item 1”; each needs one of its own",
    });
    expect(await go(aProvider(), { items: items(30), store: await halfway(), resume: false })).toMatchObject({
      kind: "not_empty",
    });
  });

  it("says when the items cannot be read, and when the store cannot be written", async () => {
    function* broken() {
      yield "item 0";
      throw new Error("line 2 is no JSON");
    }
    const store = aStore();
    expect(await go(aProvider(), { items: broken(), store })).toMatchObject({
      kind: "input",
      message: "The items cannot be read: line 2 is no JSON",
    });
    expect(store.lines).toHaveLength(1);
    const full: BatchStore = {
      open: async () => ({
        finished: [],
        add: async () => {
          throw new Error("ENOSPC: no space left on device");
        },
        close: async () => {},
      }),
    };
    const provider = aProvider();
    expect(await go(provider, { items: items(100), store: full })).toMatchObject({
      kind: "store",
      message: expect.stringContaining("ENOSPC"),
    });
    expect(provider.calls.length).toBeLessThan(7);
  });
});

describe("a batch by way of a router", () => {
  const chain = {
    targets: [
      { id: "flagship", provider: "one", model: "big" },
      { id: "light", provider: "two", model: "small" },
    ],
  };

  function routed(faultOf: (target: string, atMs: number) => Fault) {
    const time = createVirtualTime();
    const asked: string[] = [];
    const call = async (item: string, { target }: { target: { id: string } }) => {
      asked.push(target.id);
      await time.sleep(CALL_MS);
      const fault = faultOf(target.id, time.elapsed());
      if (fault !== null) throw toClientError(fault as { status: number });
      return item.toUpperCase();
    };
    const router = createRouter<string, string>({ providers: { one: call, two: call }, chain, system: time });
    return { time, asked, run: router as never };
  }

  it("falls back, and says which target served", async () => {
    const world = routed((target) => (target === "flagship" ? (FULL as Fault) : null));
    const store = aStore();
    expect(await go(world, { items: items(20), store })).toMatchObject({ done: 20, failed: 0 });
    expect(new Set(store.lines.map(({ target }) => target))).toEqual(new Set(["light"]));
    expect(Math.max(...store.lines.map(({ attempts }) => attempts))).toBeGreaterThan(1);
  });

  it("waits while the whole chain is full, and goes on", async () => {
    const world = routed((_, atMs) => (atMs < 900_000 ? (FULL as Fault) : null));
    expect(await go(world, { items: items(20) })).toMatchObject({ done: 20, failed: 0 });
    expect(world.asked.length).toBeLessThan(20 + 900);
  });

  it("stops when no key is good, and not while one is", async () => {
    const bad = routed(() => BAD_KEY as Fault);
    expect(await go(bad, { items: items(1_000) })).toMatchObject({ kind: "refused", outcome: "auth" });
    const half = routed((target) => (target === "flagship" ? (BAD_KEY as Fault) : null));
    expect(await go(half, { items: items(50) })).toMatchObject({ done: 50, failed: 0 });
  });

  it("gives each request what it is told", async () => {
    const world = routed(() => null);
    const output = (answer: string) =>
      answer === "ITEM 1"
        ? ({ ok: false, why: "not as asked" } as const)
        : ({ ok: true, value: answer } as const);
    const summary = await go(world, { items: items(3), request: { output, pin: "light" } });
    expect(summary).toMatchObject({ done: 3, failed: 1 });
    expect((summary as BatchSummary).results[1]).toMatchObject({
      outcome: "bad_output" satisfies Outcome,
      target: "light",
      error: { message: expect.stringContaining("not as asked") },
    });
    expect(new Set(world.asked)).toEqual(new Set(["light"]));
  });
});

describe("its options", () => {
  it.each([
    [{ items: 7 }, /items must be an array/],
    [{ run: "no" }, /run must be a function/],
    [{ concurrency: 0 }, /concurrency must be a number from 1 on, not 0/],
    [{ graceMs: Number.NaN }, /graceMs must be a number from 0 on, not NaN/],
  ])("%j: says what is wrong", async (options, message) => {
    await expect(runBatch({ items: [], run: () => 1, ...options } as never)).rejects.toThrow(message);
  });
});
