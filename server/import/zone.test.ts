import { expect, test } from "vitest";
import { createZone } from "./zone.ts";

const at = (zone: string, local: string) => new Date(createZone(zone)(Date.parse(`${local}Z`))).toISOString();

test.each([
  ["UTC", "2026-07-04T12:00:00", "2026-07-04T12:00:00.000Z"],
  ["+05:30", "2026-07-04T12:00:00", "2026-07-04T06:30:00.000Z"],
  ["Europe/Berlin", "2026-01-04T12:00:00", "2026-01-04T11:00:00.000Z"],
  ["Europe/Berlin", "2026-07-04T12:00:00.250", "2026-07-04T10:00:00.250Z"],
  // Put forward on 29 March at 02:00: 02:30 never was, and is read as 03:30.
  ["Europe/Berlin", "2026-03-29T01:59:59", "2026-03-29T00:59:59.000Z"],
  ["Europe/Berlin", "2026-03-29T02:30:00", "2026-03-29T01:30:00.000Z"],
  ["Europe/Berlin", "2026-03-29T03:30:00", "2026-03-29T01:30:00.000Z"],
  // Put back on 25 October at 03:00: 02:30 was twice, and is read as the first.
  ["Europe/Berlin", "2026-10-25T02:30:00", "2026-10-25T00:30:00.000Z"],
  ["Europe/Berlin", "2026-10-25T03:00:00", "2026-10-25T02:00:00.000Z"],
  // The Chatham Islands change at a quarter to three.
  ["Pacific/Chatham", "2026-09-27T02:44:00", "2026-09-26T13:59:00.000Z"],
  ["Pacific/Chatham", "2026-09-27T03:45:00", "2026-09-26T14:00:00.000Z"],
])("in %s %s is %s", (zone, local, instant) => {
  expect(at(zone, local)).toBe(instant);
});

test("an unknown zone is refused by name", () => {
  expect(() => createZone("Europe/Belin")).toThrow("--zone Europe/Belin: no such time zone");
});
