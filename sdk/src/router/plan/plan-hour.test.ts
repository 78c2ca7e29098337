import { describe, expect, it } from "vitest";
import { getPlanHour } from "./plan-hour.ts";

const at = (iso: string) => Date.parse(iso);
const night = { from: "01:30", to: "02:30", order: ["night"] };
const evening = { days: ["fri"], from: "22:00", to: "02:00", order: ["evening"] } as const;

describe("what a plan says of an hour", () => {
  it.each([
    // Berlin goes from 02:00 to 03:00 on 29 March and from 03:00 back to 02:00 on 25 October 2026.
    ["before the skipped hour", "2026-03-29T00:45:00Z", "night"],
    ["after it, at 03:00", "2026-03-29T01:00:00Z", undefined],
    ["the repeated hour, first", "2026-10-25T00:15:00Z", "night"],
    ["the repeated hour, second", "2026-10-25T01:15:00Z", "night"],
    ["half past, the first time", "2026-10-25T00:30:00Z", undefined],
    ["half past, the second time", "2026-10-25T01:30:00Z", undefined],
    ["Friday night goes on past midnight, and comes first", "2026-07-03T23:45:00Z", "evening"],
    ["the night after does not", "2026-07-04T23:45:00Z", "night"],
  ])("is read on the zone's wall: %s", (_, iso, first) => {
    expect(getPlanHour({ schedule: [evening, night] }, "Europe/Berlin", at(iso)).order?.[0]).toBe(first);
  });

  it("names every target that is avoided then", () => {
    const noon = { from: "12:00", to: "13:00" };
    const avoid = [
      { target: "a", windows: [{ from: "01:00", to: "02:00" }, noon] },
      { target: "b", windows: [noon] },
      { target: "c", windows: [{ days: ["mon"], ...noon } as const] },
    ];
    const hour = getPlanHour({ avoid }, "UTC", at("2026-08-04T12:59:59Z"));
    expect([hour.order, [...hour.avoided]]).toEqual([undefined, ["a", "b"]]);
    expect(getPlanHour({ avoid }, "UTC", at("2026-08-04T13:00:00Z")).avoided.size).toBe(0);
  });
});
