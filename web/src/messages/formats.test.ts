import { describe, expect, it } from "vitest";
import { en } from "./en.ts";
import { createFormats } from "./formats.ts";
import { zh } from "./zh.ts";

const formats = createFormats("en", "Europe/Berlin");
const thin = (text: string) => text.replaceAll("\u202f", " ");

describe("share", () => {
  it("tells nothing from little, and little from zero", () => {
    expect([0, 0.0004, 0.0005, 0.0436, 0.1234, 1].map((ratio) => thin(formats.share(ratio)))).toEqual([
      "0 %",
      "<0.1 %",
      "0.1 %",
      "4.4 %",
      "12.3 %",
      "100 %",
    ]);
  });

  it("is the same within a cell, without the sign", () => {
    for (const ratio of [0, 0.0004, 0.0436, 0.1234, 1])
      expect(`${formats.shareShort(ratio)} %`).toBe(thin(formats.share(ratio)));
  });
});

describe("points", () => {
  it("shows a difference with its sign, and one too small to tell as neither", () => {
    expect([0.015, -0.02, 0, 0.0002].map(formats.points)).toEqual(["+1.5", "−2.0", "±0.0", "±0.0"]);
  });
});

describe("times", () => {
  it("are told with 24 hours, midnight as 00", () => {
    expect(formats.time(Date.parse("2026-11-29T23:05:00Z"))).toBe("00:05");
    expect([0, 9, 24, 26].map(formats.hour)).toEqual(["00:00", "09:00", "00:00", "02:00"]);
  });

  it("grow from milliseconds to seconds", () => {
    expect([null, 0, 994, 995, 1500].map((ms) => thin(formats.milliseconds(ms)))).toEqual([
      "–",
      "0 ms",
      "994 ms",
      "1.0 s",
      "1.5 s",
    ]);
  });

  it("grow from seconds to hours", () => {
    expect(
      [28_000, 119_000, 120_000, 5_018_000, 7_200_000].map((ms) => formats.duration(ms).replace(/s$/, "")),
    ).toEqual(["28 sec", "119 sec", "2 min", "84 min", "2 hr"]);
  });

  it("begin the week on Monday", () => {
    expect(formats.weekday(0, "long")).toBe("Monday");
    expect(createFormats("zh", "UTC").weekday(6, "short")).toBe("周日");
  });
});

describe("the catalogues", () => {
  it("have the same entries, none of them blank", () => {
    const list = (value: unknown, path: string): string[] =>
      typeof value === "object" && value !== null
        ? Object.entries(value).flatMap(([key, part]) => list(part, `${path}/${key}`))
        : [value === "" ? `${path} is blank` : path];
    expect(list(zh, "")).toEqual(list(en, ""));
  });
});
