import { describe, expect, it } from "vitest";
import { fromWallText, toWallText } from "./wall.ts";

const iso = (text: string, zone: string) => new Date(fromWallText(text, zone)).toISOString();

describe("times on a wall", () => {
  it("come back as they were, in zones ahead, behind and off by minutes", () => {
    const ms = Date.parse("2026-11-29T23:05:00Z");
    for (const zone of ["UTC", "Asia/Kathmandu", "America/New_York", "Pacific/Kiritimati", "Pacific/Chatham"])
      expect(fromWallText(toWallText(ms, zone), zone)).toBe(ms);
    expect(toWallText(ms, "Asia/Kathmandu")).toBe("2026-11-30T04:50");
    expect(toWallText(Date.parse("2026-11-29T00:00:00Z"), "UTC")).toBe("2026-11-29T00:00");
  });

  it("are those before a clock goes back, where it shows them twice", () => {
    expect(iso("2026-10-25T01:59", "Europe/Berlin")).toBe("2026-10-24T23:59:00.000Z");
    expect(iso("2026-10-25T02:30", "Europe/Berlin")).toBe("2026-10-25T00:30:00.000Z");
    expect(iso("2026-10-25T03:00", "Europe/Berlin")).toBe("2026-10-25T02:00:00.000Z");
    expect(iso("2026-11-01T01:30", "America/New_York")).toBe("2026-11-01T05:30:00.000Z");
  });

  it("move on by what a clock skips", () => {
    // 02:30 does not exist on that day: the clock shows 03:30.
    const ms = fromWallText("2026-03-29T02:30", "Europe/Berlin");
    expect(toWallText(ms, "Europe/Berlin")).toBe("2026-03-29T03:30");
    const halfHour = fromWallText("2026-10-04T02:15", "Australia/Lord_Howe");
    expect(toWallText(halfHour, "Australia/Lord_Howe")).toBe("2026-10-04T02:45");
  });

  it("are none for what is no time", () => {
    expect(fromWallText("", "UTC")).toBeNaN();
    expect(fromWallText("tomorrow", "UTC")).toBeNaN();
  });
});
