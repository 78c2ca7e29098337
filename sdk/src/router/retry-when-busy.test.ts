import { describe, expect, it } from "vitest";
import { retryWhenBusy } from "./retry-when-busy.ts";
import { BAD_KEY, FULL, fullFor, settle, toClientError } from "./scripted-providers.ts";
import { createVirtualTime } from "./virtual-time.ts";

const thrown = (deed: unknown) => toClientError(deed as { status: number });

describe("the simple way", () => {
  it("tries three times, two seconds apart", async () => {
    const time = createVirtualTime();
    const at: number[] = [];
    const call = () => {
      at.push(time.elapsed());
      if (at.length < 3) throw thrown(FULL);
      return "hello";
    };
    expect(await settle(time, retryWhenBusy(call, { system: time }))).toBe("hello");
    expect(at).toEqual([0, 2_000, 4_000]);
  });

  it("then says clearly that the model is busy", async () => {
    const time = createVirtualTime();
    const error = await settle(
      time,
      retryWhenBusy(() => Promise.reject(thrown(FULL)), { system: time }),
    );
    expect(error).toMatchObject({ kind: "busy", isRetryable: true, outcome: "capacity" });
    expect(error).toMatchObject({ message: expect.stringContaining("The model is busy: 3 tries") });
  });

  it("does not repeat what will not pass", async () => {
    const time = createVirtualTime();
    let calls = 0;
    const call = () => {
      calls++;
      throw thrown(BAD_KEY);
    };
    expect(await settle(time, retryWhenBusy(call, { system: time }))).toMatchObject({ kind: "refused" });
    expect(calls).toBe(1);
  });

  it("keeps a longer wait that was advised, up to 30 s", async () => {
    const time = createVirtualTime();
    let calls = 0;
    const call = (seconds: number) => () => {
      if (++calls === 1) throw thrown(fullFor(seconds));
      return time.elapsed();
    };
    expect(await settle(time, retryWhenBusy(call(9), { system: time }))).toBe(9_000);
    calls = 0;
    expect(await settle(time, retryWhenBusy(call(90), { system: time }))).toMatchObject({
      retryAfterMs: 90_000,
    });
  });

  it("ends with the caller's signal", async () => {
    const time = createVirtualTime();
    const controller = new AbortController();
    time.at(500, () => controller.abort());
    const busy = () => Promise.reject(thrown(FULL));
    const error = await settle(time, retryWhenBusy(busy, { system: time, signal: controller.signal }));
    expect(error).toMatchObject({ kind: "cancelled" });
    expect(time.elapsed()).toBe(500);
  });
});
