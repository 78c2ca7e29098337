import { describe, expect, it } from "vitest";
import { findZone } from "./zone.ts";

describe("findZone", () => {
  it.each([
    ["utc", "UTC"],
    ["UTC", "UTC"],
    ["asia/kolkata", "Asia/Kolkata"],
    ["ASIA/CALCUTTA", "Asia/Calcutta"],
    ["america/port-au-prince", "America/Port-au-Prince"],
    ["africa/dar_es_salaam", "Africa/Dar_es_Salaam"],
    ["antarctica/dumontdurville", "Antarctica/DumontDUrville"],
    ["etc/gmt+5", "Etc/GMT+5"],
    ["us/eastern", "US/Eastern"],
  ])("spells %s as the IANA does: %s", (name, spelt) => {
    expect(findZone(name)).toBe(spelt);
  });

  it("leaves every name as it is that is spelt well", () => {
    for (const name of Intl.supportedValuesOf("timeZone")) expect(findZone(name)).toBe(name);
  });

  it.each(["Mars/Olympus", "", "+05:30", "UTC'", "Europe/Berlin ", "SystemV/AST4", "JST"])(
    "knows no zone %j",
    (name) => {
      expect(findZone(name)).toBeNull();
    },
  );
});
