import { describe, expect, it } from "vitest";
import { createHealth } from "./board.ts";
import { json } from "./output/json.ts";
import { text } from "./output/text.ts";
import { createRouter } from "./router.ts";
import {
  BAD_KEY,
  BAD_REQUEST,
  BROKEN,
  CHAIN,
  FULL,
  fullFor,
  limitedFor,
  NO_MONEY,
  scripted,
  settle,
  TOO_LONG,
} from "./scripted-providers.ts";
import type { Stage } from "./types.ts";

const ONE = { targets: [{ id: "only", provider: "one", model: "m" }] };

describe("the walk along a chain", () => {
  it("asks the first target and says who answered", async () => {
    const { router, time, asked } = scripted({});
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({
      value: "hello",
      isDegraded: false,
      waitedMs: 0,
      totalMs: 1_000,
      planVersion: null,
    });
    expect(result).toMatchObject({
      target: { id: "flagship" },
      attempts: [{ attempt: 1, outcome: "ok", latencyMs: 1_000 }],
    });
    expect(asked()).toEqual(["flagship"]);
  });

  it("goes on at once to the next target when one is full", async () => {
    const { router, time, asked } = scripted({ flagship: [FULL] });
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({ target: { id: "standard" }, isDegraded: true, waitedMs: 0 });
    expect(result.attempts.map(({ outcome }) => outcome)).toEqual(["capacity", "ok"]);
    expect(asked()).toEqual(["flagship", "standard"]);
  });

  it("asks the same target first again after one failure, and another one after many", async () => {
    const { router, time, asked } = scripted({ flagship: [FULL] });
    await settle(time, router.run("one"));
    await settle(time, router.run("two"));
    expect(asked().slice(2, 3)).toEqual(["flagship"]);
    for (let i = 0; i < 12; i++) await settle(time, router.run("more"));
    expect(asked().at(-1)).toBe("standard");
  });

  it("makes five attempts and no more, and lists them all", async () => {
    const { router, time, asked } = scripted({ flagship: [BROKEN], standard: [BROKEN], light: [BROKEN] });
    const error = await settle(time, router.run("hi"));
    expect(error).toMatchObject({ kind: "busy", isRetryable: true, outcome: "server_error" });
    expect(error.attempts).toHaveLength(5);
    expect(asked().slice(0, 3)).toEqual(["flagship", "standard", "light"]);
  });

  it("asks a target again only after a pause", async () => {
    const { router, time, calls } = scripted({ only: [FULL, "hello"] }, { chain: ONE });
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({ value: "hello" });
    const pauseMs = (calls[1]?.atMs ?? 0) - 1_000;
    expect(pauseMs).toBeGreaterThanOrEqual(50);
    expect(pauseMs).toBeLessThanOrEqual(1_051);
  });

  it("keeps an advised wait that fits, and answers then", async () => {
    const { router, time, calls } = scripted({ only: [fullFor(7), "hello"] }, { chain: ONE });
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({ value: "hello" });
    expect(calls[1]?.atMs).toBeGreaterThanOrEqual(8_000);
  });

  it("does not wait for one that does not fit, but says when to come back", async () => {
    const { router, time } = scripted({ only: [limitedFor(86_400)] }, { chain: ONE });
    const error = await settle(time, router.run("hi"));
    expect(error).toMatchObject({ kind: "busy", isRetryable: true });
    expect(time.elapsed()).toBe(1_000);
    expect((error as { retryAfterMs: number }).retryAfterMs).toBeGreaterThan(86_300_000);
  });

  it("benches for the stated wait, over requests, but for a probe", async () => {
    const { router, time, calls } = scripted({ flagship: [limitedFor(3_600), "hello"] });
    await settle(time, router.run("first"));
    await time.run(500_000);
    await settle(time, router.run("second"));
    expect(calls.at(-1)?.id).toBe("standard");
    await time.run(650_000);
    expect(await settle(time, router.run("a probe"))).toMatchObject({
      attempts: [{ target: "flagship", isProbe: true }],
    });
  });
});

describe("hard failures", () => {
  it("go past everything of an account whose key is bad", async () => {
    const { router, time, asked } = scripted({ flagship: [BAD_KEY] });
    expect(await settle(time, router.run("hi"))).toMatchObject({ target: { id: "light" } });
    expect(asked()).toEqual(["flagship", "light"]);
    await settle(time, router.run("hi"));
    expect(asked()).toEqual(["flagship", "light", "light"]);
  });

  it("do not touch another account of the same provider", async () => {
    const chain = {
      targets: [
        { id: "a", provider: "one", model: "m", account: "team" },
        { id: "b", provider: "one", model: "m", account: "spare" },
      ],
    };
    const { router, time, asked } = scripted({ a: [NO_MONEY] }, { chain });
    expect(await settle(time, router.run("hi"))).toMatchObject({ target: { id: "b" } });
    expect(asked()).toEqual(["a", "b"]);
  });

  it("reach the caller at once when no target would take the request", async () => {
    const { router, time, asked } = scripted({ flagship: [BAD_REQUEST] });
    const error = await settle(time, router.run("hi"));
    expect(error).toMatchObject({
      kind: "refused",
      isRetryable: false,
      retryAfterMs: null,
      outcome: "invalid_request",
    });
    expect((error as Error).message).toContain("temperature");
    expect(asked()).toEqual(["flagship"]);
  });

  it("say so when every account is refused, and once again without a call", async () => {
    const { router, time, asked } = scripted({ flagship: [BAD_KEY], light: [NO_MONEY] });
    expect(await settle(time, router.run("hi"))).toMatchObject({ kind: "refused" });
    expect(await settle(time, router.run("hi"))).toMatchObject({ kind: "refused", attempts: [] });
    expect(asked()).toEqual(["flagship", "light"]);
  });

  it("try another model with an input that is too long for one", async () => {
    const { router, time, asked } = scripted({ flagship: [TOO_LONG] });
    expect(await settle(time, router.run("hi"))).toMatchObject({ target: { id: "standard" } });
    expect(asked()).toEqual(["flagship", "standard"]);
  });

  it("leave the health of a target alone", async () => {
    const { router, time } = scripted({ flagship: [BAD_REQUEST] });
    for (let i = 0; i < 20; i++) await settle(time, router.run("hi"));
    expect(router.health()[0]).toMatchObject({ score: 0.95, circuit: "closed", state: "ready", inFlight: 0 });
  });
});

describe("time", () => {
  it("is over at the deadline, with what was tried", async () => {
    const { router, time } = scripted({ only: [{ hang: true }] }, { chain: ONE });
    const error = await settle(time, router.run("hi", { deadlineMs: 5_000 }));
    expect(error).toMatchObject({ kind: "deadline", attempts: [{ outcome: "timeout", latencyMs: 5_000 }] });
    expect(router.health()[0]).toMatchObject({ inFlight: 0, score: 0.95 });
  });

  it("leaves time for another target when one hangs", async () => {
    const { router, time } = scripted({ flagship: [{ hang: true }] });
    const result = await settle(time, router.run("hi", { deadlineMs: 60_000 }));
    expect(result).toMatchObject({ value: "hello", target: { id: "standard" }, totalMs: 31_000 });
  });

  it("is left for another target when one hangs that nobody knows yet, however short the deadline", async () => {
    for (const deadlineMs of [3_000, 10_000, 30_000]) {
      const { router, time, asked } = scripted({ flagship: [{ hang: true }] });
      const result = await settle(time, router.run("hi", { deadlineMs }));
      expect(result).toMatchObject({ target: { id: "standard" } });
      expect([deadlineMs, ...asked()]).toEqual([deadlineMs, "flagship", "standard"]);
    }
  });

  it("ends when the caller wants no more, which says nothing of the target", async () => {
    const { router, time } = scripted({ flagship: [{ hang: true }] });
    const controller = new AbortController();
    time.at(3_000, () => controller.abort(new Error("user left")));
    const error = await settle(time, router.run("hi", { signal: controller.signal }));
    expect(error).toMatchObject({
      kind: "cancelled",
      attempts: [{ outcome: "cancelled", latencyMs: 3_000 }],
    });
    expect(router.health()[0]).toMatchObject({ inFlight: 0, score: 0.95 });
  });

  it("of a caller who left already costs no call", async () => {
    const { router, time, asked } = scripted({});
    const error = await settle(time, router.run("hi", { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ kind: "cancelled", attempts: [] });
    expect(asked()).toEqual([]);
  });

  it("in line ends with the caller's signal too", async () => {
    const { router, time } = scripted({ only: [fullFor(20)] }, { chain: ONE });
    const controller = new AbortController();
    time.at(4_000, () => controller.abort());
    const error = await settle(time, router.run("hi", { signal: controller.signal }));
    expect(error).toMatchObject({ kind: "cancelled", attempts: [{ outcome: "capacity" }] });
  });
});

describe("room", () => {
  it("is given in the order of coming, three at a time at the start", async () => {
    const { router, time, calls } = scripted(
      {},
      {
        chain: {
          targets: [{ ...ONE.targets[0], id: "only", maxConcurrency: 3, provider: "one", model: "m" }],
        },
      },
    );
    const done: string[] = [];
    const all = Array.from({ length: 7 }, (_, i) => router.run(`${i}`).then(() => done.push(`${i}`)));
    await settle(time, Promise.all(all));
    expect(calls.map(({ atMs }) => atMs)).toEqual([0, 0, 0, 1_000, 1_000, 1_000, 2_000]);
    expect(done).toEqual(["0", "1", "2", "3", "4", "5", "6"]);
  });

  it("that does not come in time is told", async () => {
    const chain = { targets: [{ id: "only", provider: "one", model: "m", maxConcurrency: 1 }] };
    const { router, time } = scripted({ only: [{ hang: true }] }, { chain });
    const first = router.run("hi", { deadlineMs: 300_000 }).catch(() => {});
    const error = await settle(time, router.run("hi", { deadlineMs: 100_000 }));
    await first;
    expect(error).toMatchObject({ kind: "busy", attempts: [] });
  });

  it("is kept below a known limit per minute", async () => {
    const chain = { targets: [{ id: "only", provider: "one", model: "m", requestsPerMinute: 6 }] };
    const { router, time, calls } = scripted({}, { chain });
    await settle(time, Promise.all([router.run("a"), router.run("b"), router.run("c")]));
    expect(calls.map(({ atMs }) => atMs)).toEqual([0, 10_000, 20_000]);
  });
});

describe("choosing by the call", () => {
  it("begins at a tier, leaves out, and pins", async () => {
    const { router, time, asked } = scripted({});
    await settle(time, router.run("hi", { startAt: "standard" }));
    await settle(time, router.run("hi", { exclude: ["one"] }));
    await settle(time, router.run("hi", { exclude: ["flagship"] }));
    await settle(time, router.run("hi", { pin: "light" }));
    expect(asked()).toEqual(["standard", "light", "standard", "light"]);
  });

  it("stays with a pinned target, whatever it does", async () => {
    const { router, time, asked } = scripted({ standard: [FULL, FULL, "hello"] });
    expect(await settle(time, router.run("hi", { pin: "standard" }))).toMatchObject({ value: "hello" });
    expect(asked()).toEqual(["standard", "standard", "standard"]);
  });

  it("says what cannot be chosen", async () => {
    const { router } = scripted({});
    await expect(router.run("hi", { pin: "nobody" })).rejects.toThrow(
      "pin: “nobody”; the chain has flagship, standard, light",
    );
  });
});

describe("outputs", () => {
  const schema = {
    "~standard": {
      version: 1 as const,
      vendor: "test",
      validate: (value: unknown) =>
        typeof (value as { n?: unknown } | null)?.n === "number"
          ? { value: value as { n: number } }
          : { issues: [{ message: "expected a number", path: ["n"] }] },
    },
  };

  it("that do not fit are bad_output, and the next target is tried", async () => {
    const { router, time } = scripted({
      flagship: ["Sorry, I can't."],
      standard: ['Sure:\n```json\n{"n": 7}\n```'],
    });
    const result = await settle(time, router.run("hi", { output: json(schema) }));
    expect(result).toMatchObject({ value: { n: 7 }, target: { id: "standard" } });
    expect(result.attempts[0]).toMatchObject({
      outcome: "bad_output",
      message: "the answer holds no JSON, or several that differ",
    });
  });

  it("of nobody that fit end with an error that says why", async () => {
    const { router, time, asked } = scripted({ flagship: ['{"n":"x"}'], standard: ["[]"], light: [" "] });
    const error = await settle(time, router.run("hi", { output: json(schema) }));
    expect(error).toMatchObject({ kind: "bad_output", isRetryable: false });
    expect(asked()).toEqual(["flagship", "standard", "light"]);
    expect(error.attempts[0]?.message).toContain("/n: expected a number");
  });

  it("may be checked by a function of one's own, whose fault is a refusal", async () => {
    const { router, time } = scripted({ flagship: ["bad"], standard: [""] });
    const check = (answer: unknown) => {
      if (answer === "bad") throw new Error("no good");
      return text({ nonEmpty: true })(answer);
    };
    const result = await settle(time, router.run("hi", { output: check }));
    expect(result.attempts.map(({ message }) => message)).toEqual([
      "the output check threw: no good",
      "the answer's text is empty",
      null,
    ]);
  });

  it("with an error inside of a good answer count as that error", async () => {
    const answer = { choices: [], error: { code: 429, message: "Provider returned error: overloaded" } };
    const time = scripted({}).time;
    const router = createRouter<string, unknown>({
      providers: { one: (_, { target }) => (target.id === "flagship" ? answer : "fine"), two: () => "fine" },
      chain: CHAIN,
      system: time,
    });
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({ value: "fine", target: { id: "standard" } });
    expect(result.attempts[0]?.outcome).not.toBe("ok");
  });
});

describe("what people are told", () => {
  it("is each stage of their request", async () => {
    const { router, time } = scripted({ flagship: [FULL], standard: [FULL] });
    const stages: Stage[] = [];
    await settle(time, router.run("hi", { onStage: (stage) => stages.push(stage) }));
    expect(stages).toEqual([
      { kind: "switching", from: "flagship" },
      { kind: "switching", from: "standard" },
      { kind: "degraded", target: "light" },
    ]);
  });

  it("survives a listener that throws", async () => {
    const { router, time } = scripted({ flagship: [FULL] });
    const onStage = () => {
      throw new Error("no");
    };
    expect(await settle(time, router.run("hi", { onStage }))).toMatchObject({ value: "hello" });
  });

  it("is which targets there are, best first", async () => {
    const { router, time } = scripted({ flagship: [limitedFor(120)] });
    await settle(time, router.run("hi"));
    const choices = router.choices("zh-CN");
    expect(choices.map(({ target, state, words }) => [target.id, state, words])).toEqual([
      ["standard", "ready", "可用"],
      ["light", "ready", "可用"],
      ["flagship", "resting", "暂时休息"],
    ]);
    expect(choices[2]?.readyInMs).toBeGreaterThan(100_000);
  });
});

describe("several routers", () => {
  it("share what they know of targets, and of nothing else", async () => {
    const { time } = scripted({});
    const health = createHealth({ system: time });
    const providers = {
      one: () =>
        Promise.reject(Object.assign(new Error("no"), { status: 429, headers: { "retry-after": "600" } })),
      two: () => "two",
    };
    const make = (model: string) =>
      createRouter<string, unknown>({
        providers,
        chain: {
          targets: [
            { id: "x", provider: "one", model },
            { id: "y", provider: "two", model: "m" },
          ],
        },
        health,
        system: time,
      });
    await settle(time, make("same").run("hi"));
    expect(make("same").health()[0]?.state).toBe("resting");
    expect(make("other").health()[0]?.state).toBe("ready");
  });

  it("take no knowledge that is none", () => {
    expect(() => scripted({}, { health: { waiting: 0 } })).toThrow("createHealth()");
  });
});

describe("a provider that answers in one way only", () => {
  const router = createRouter<string, string, string>({
    providers: {
      whole: async () => "whole",
      pieces: {
        async *stream() {
          yield "piece";
        },
      },
    },
    chain: {
      targets: [
        { id: "a", provider: "pieces", model: "m" },
        { id: "b", provider: "whole", model: "m" },
      ],
    },
  });

  it("is not asked in the other, and holds no slot", async () => {
    for (let i = 0; i < 10; i++)
      expect((await router.run("hi")).attempts.map(({ target }) => target)).toEqual(["b"]);
    expect((await router.stream("hi")).target.id).toBe("a");
    expect(router.health().find(({ target }) => target === "a")?.inFlight).toBeLessThanOrEqual(1);
  });

  it("is named when no other is left", async () => {
    await expect(router.run("hi", { pin: "a" })).rejects.toThrow(
      "router.run: no target is left, since pieces has no run function",
    );
    await expect(router.stream("hi", { pin: "b" })).rejects.toThrow("whole has no stream function");
    expect(router.health().map(({ inFlight }) => inFlight)).toEqual([1, 0]);
  });
});

describe("options that cannot be used", () => {
  it("of a request are told before any target is asked", async () => {
    const { router, asked } = scripted({});
    for (const deadlineMs of [0, -1, Number.NaN, "3s" as unknown as number])
      await expect(router.run("hi", { deadlineMs })).rejects.toThrow(
        "router.run: deadlineMs must be a number",
      );
    await expect(router.run("hi", { output: 42 as never })).rejects.toThrow("output must be a check");
    expect(() => json({ type: "object" } as never)).toThrow("must be a Standard Schema");
    expect(() => json(undefined as never)).toThrow("must be a Standard Schema");
    expect(asked()).toEqual([]);
  });

  it("of retries and time are told at the start", () => {
    const providers = { one: async () => "" };
    const make = (retry: object, deadlineMs?: number) => () =>
      createRouter({
        providers,
        chain: { ...ONE, retry },
        ...(deadlineMs === undefined ? {} : { deadlineMs }),
      });
    expect(make({ maxAttempts: -1, capMs: Number.NaN })).toThrow(
      "createRouter: chain.retry.maxAttempts must be a number, 1 at least; chain.retry.capMs must be a number, 0 at least",
    );
    expect(make({}, Number.NaN)).toThrow("createRouter: deadlineMs must be a number");
  });

  it("are told all at once", () => {
    const chain = {
      targets: [
        { id: "a", provider: "nobody", model: "" },
        { id: "a", provider: "one", model: "m" },
      ],
      floor: "zzz",
    };
    expect(() => scripted({}, { chain })).toThrow(
      "createRouter: chain.targets[0].model must be a text; chain.targets[0].provider is “nobody”, but providers has only one, two; " +
        "chain.targets[1].id is “a”, which another target has already; chain.floor is “zzz”, which is neither the id nor the tier of a target",
    );
    expect(() => scripted({}, { chain: { targets: [] } })).toThrow("at least one target");
  });
});
