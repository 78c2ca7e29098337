import { describe, expect, it } from "vitest";
import { createRouter } from "./router.ts";
import { isRouterError, type RouterError } from "./router-error.ts";
import type { Call, RouterOptions } from "./types.ts";
import { createVirtualTime, type VirtualTime } from "./virtual-time.ts";

/** What each target does with its calls, in turn; the last entry stays. */
type Script = Readonly<Record<string, readonly Deed[]>>;
type Deed =
  | string
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body?: unknown };

const FULL: Deed = {
  status: 529,
  body: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
};
const BAD_KEY: Deed = {
  status: 401,
  body: { error: { message: "Incorrect API key", code: "invalid_api_key" } },
};

function makeRouter(script: Script, options: Partial<RouterOptions<string, string>> = {}) {
  const time = createVirtualTime();
  const calls: string[] = [];
  const providers = {
    one: (_: string, call: Call) => answer(call),
    two: (_: string, call: Call) => answer(call),
  };
  async function answer({ target, signal }: Call): Promise<string> {
    const deeds = script[target.id] ?? ["hello"];
    const deed = deeds[Math.min(calls.filter((id) => id === target.id).length, deeds.length - 1)];
    calls.push(target.id);
    await time.sleep(1_000);
    if (deed === "hang")
      await new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    if (typeof deed === "string") return deed;
    throw Object.assign(new Error(`${deed?.status}`), {
      status: deed?.status,
      error: deed?.body,
      headers: deed?.headers,
    });
  }
  const router = createRouter<string, string>({
    providers,
    chain: {
      targets: [
        { id: "flagship", provider: "one", model: "big" },
        { id: "standard", provider: "one", model: "middle" },
        { id: "light", provider: "two", model: "small" },
      ],
    },
    system: time,
    ...options,
  });
  return { router, time, calls };
}

/** What the promise ends with, after as much time as that takes. */
async function settle<T>(time: VirtualTime, promise: Promise<T>): Promise<T | RouterError> {
  const ended = promise.catch((error: unknown) => {
    if (isRouterError(error)) return error;
    throw error;
  });
  await time.run();
  return ended;
}

describe("a router", () => {
  it("asks the first target of the chain and says who answered", async () => {
    const { router, time, calls } = makeRouter({});
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({
      value: "hello",
      target: { id: "flagship" },
      isDegraded: false,
      waitedMs: 0,
    });
    expect(calls).toEqual(["flagship"]);
  });

  it("goes on at once to the next target when one is full", async () => {
    const { router, time, calls } = makeRouter({ flagship: [FULL] });
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({
      value: "hello",
      target: { id: "standard" },
      isDegraded: true,
      waitedMs: 0,
    });
    expect(calls).toEqual(["flagship", "standard"]);
  });

  it("goes past everything of an account whose key is bad", async () => {
    const { router, time, calls } = makeRouter({ flagship: [BAD_KEY] });
    const result = await settle(time, router.run("hi"));
    expect(result).toMatchObject({ target: { id: "light" } });
    expect(calls).toEqual(["flagship", "light"]);
  });
});
