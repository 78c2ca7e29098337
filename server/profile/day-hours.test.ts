import { describe, expect, it } from "vitest";
import { offsetMsAt } from "../time/zone.ts";
import { createWall } from "./day-hours.ts";

const QUARTER_MS = 900_000;

describe("createWall", () => {
  // Clocks change by an hour, by half an hour, at midnight, and a day is left out.
  const days = [
    ["Europe/Berlin", "2026-10-24"],
    ["Europe/Berlin", "2026-03-28"],
    ["Australia/Lord_Howe", "2026-10-03"],
    ["America/Sao_Paulo", "2018-11-03"],
    ["Asia/Kathmandu", "2026-07-01"],
    ["Pacific/Apia", "2011-12-29"],
  ] as const;
  for (const [zone, from] of days) {
    it(`is what ${zone} says at every quarter-hour around ${from}`, () => {
      const wallMsAt = createWall(zone);
      const fromMs = Date.parse(`${from}T00:00:00Z`);
      for (let ms = fromMs; ms < fromMs + 3 * 86_400_000; ms += QUARTER_MS)
        expect(wallMsAt(ms)).toBe(ms + offsetMsAt(zone, ms));
    });
  }
});
