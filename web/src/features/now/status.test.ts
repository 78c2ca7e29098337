import { describe, expect, it } from "vitest";
import type { NowState } from "../../../../server/contract/now.ts";
import { en } from "../../messages/en.ts";
import { createFormats } from "../../messages/formats.ts";
import { describeNow, describeOutlook, type NamedState } from "./status.ts";

const formats = createFormats("en", "UTC");
const models = (...states: NowState[]): NamedState[] =>
  states.map((state, i) => ({ target: { provider: "acme", model: `model-${i + 1}`, endpoint: "" }, state }));

describe("describeNow", () => {
  it("names one or two that are short, and counts more", () => {
    expect(describeNow(models("short", "room"), en)).toBe("model-1 is short of capacity now.");
    expect(describeNow(models("short", "room", "short"), en)).toBe(
      "model-1 and model-3 are short of capacity now.",
    );
    expect(describeNow(models("short", "short", "short", "room", "few"), en)).toBe(
      "Three of four models are short of capacity now.",
    );
  });

  it("names endpoints, and counts them, where a model has several", () => {
    const at = (endpoint: string, state: NowState) => ({
      target: { provider: "acme", model: "large", endpoint },
      state,
    });
    expect(describeNow([at("eu", "short"), at("us", "room")], en)).toBe(
      "large @ eu is short of capacity now.",
    );
    expect(describeNow([at("eu", "room"), at("us", "room")], en)).toBe(
      "All two model endpoints have room now.",
    );
  });

  it("says that all have room, or that some are tight", () => {
    expect(describeNow(models("room", "room", "few"), en)).toBe("All two models have room now.");
    expect(describeNow(models("room"), en)).toBe("The model has room now.");
    expect(describeNow(models("room", "tight"), en)).toBe("No model is short of capacity now; one is tight.");
  });

  it("claims nothing without enough calls", () => {
    expect(describeNow(models("few", "silent"), en)).toBe(en.now.fewNow);
    expect(describeNow(models("silent"), en)).toBe(en.now.silentNow);
    expect(describeNow([], en)).toBe(en.now.silentNow);
  });
});

describe("describeOutlook", () => {
  const run = (fromHourOfWeek: number, toHourOfWeek: number) => ({ fromHourOfWeek, toHourOfWeek });

  it("tells hours as a clock shows them, over midnight and over Sunday", () => {
    const outlook = { kind: "good", isNow: false, runs: [run(21, 26), run(29, 31)] } as const;
    expect(describeOutlook(outlook, en, formats)).toBe("Next good hours: 21:00–02:00 and 05:00–07:00.");
    const now = { kind: "good", isNow: true, runs: [run(167, 170)] } as const;
    expect(describeOutlook(now, en, formats)).toBe("Usually good until 02:00.");
  });

  it("names the least busy hour where none is good", () => {
    expect(describeOutlook({ kind: "none", leastBusy: 4, rate: 0.031 }, en, formats)).toContain(
      "begins at 04:00 (3.1\u202f%)",
    );
  });
});
