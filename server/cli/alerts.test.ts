import { describe, expect, it } from "vitest";
import type { Alert } from "../contract/alert.ts";
import { formatAlert, parseDuration } from "./alerts.ts";

const ALERT: Alert = {
  id: 7,
  rule: { id: 3, name: "Far above usual" },
  severity: "critical",
  state: "firing",
  subject: { provider: "acme", model: "large one", endpoint: "" },
  of: "attempts",
  outcomes: ["capacity"],
  groupBy: "target",
  k: 37,
  n: 301,
  value: 37 / 301,
  usual: 0.02,
  peak: 0.15,
  since: "2026-11-29T11:40:00.000Z",
  firedAt: "2026-11-29T11:45:00.000Z",
  toldAt: "2026-11-29T11:45:00.000Z",
  seenAt: "2026-11-29T12:00:00.000Z",
  endedAt: null,
  acknowledged: null,
  muted: null,
  foldedUnder: null,
  folded: [],
  cause: null,
  order: null,
  view: "/alerts?project=default&alert=7",
};

describe("an alert in a line", () => {
  it("says what, how bad, since when and by which rule", () => {
    expect(formatAlert(ALERT).split("\t")).toEqual([
      "7",
      "critical",
      "firing",
      'provider=acme model="large one"',
      "37 of 301 (12.3 %, usually 2.0 %)",
      "since 2026-11-29T11:40:00.000Z",
      "Far above usual",
    ]);
  });

  it("says who is at it, what mutes it, and when it was over", () => {
    const by = { kind: "person", name: "Ada" } as const;
    const line = formatAlert({
      ...ALERT,
      state: "resolved",
      of: "events",
      value: 90,
      subject: {},
      endedAt: "2026-11-29T12:10:00.000Z",
      acknowledged: { by, at: ALERT.since, note: null },
      muted: { by: "silence", id: 1, until: "2026-11-29T13:00:00.000Z" },
    });
    expect(line.split("\t").slice(2)).toEqual([
      "resolved",
      "everything",
      "silent for 90 min",
      "2026-11-29T11:40:00.000Z – 2026-11-29T12:10:00.000Z",
      "Far above usual; acknowledged by Ada; muted until 2026-11-29T13:00:00.000Z",
    ]);
  });
});

describe("a duration", () => {
  it("is minutes, hours or days", () => {
    expect(["30m", "4h", "2d"].map(parseDuration)).toEqual([1_800_000, 14_400_000, 172_800_000]);
  });

  it("is refused in words otherwise", () => {
    for (const text of ["", "4", "0h", "1.5h", "4 h", "2w"]) {
      expect(() => parseDuration(text), text).toThrow("It must be like 30m, 4h or 2d.");
    }
  });
});
