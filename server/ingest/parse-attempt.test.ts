import { OUTCOMES } from "@busyhour/sdk";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { attemptEvent } from "../contract/attempt-event.ts";
import { deriveUuid, toUuid, uuidV7 } from "./event-id.ts";
import { isPlainEvent } from "./is-plain-event.ts";
import { parseAttempt, parseEventTime } from "./parse-attempt.ts";
import { outcomeCode } from "./row.ts";

const NOW_MS = Date.parse("2026-11-29T12:00:00Z");
const limits = { nowMs: NOW_MS, rawRetentionDays: 400 };
const event = { occurredAt: "2026-11-29T11:00:00Z", provider: "acme", model: "large" };

describe("parseAttempt", () => {
  it("never throws, whatever is sent", () => {
    fc.assert(
      fc.property(fc.anything(), (input) => {
        const parsed = parseAttempt(input, limits);
        if (!parsed.ok) expect(parsed.detail.length).toBeGreaterThan(0);
      }),
    );
  });

  it("refuses names and ids with a NUL or half a character, and tolerates both in a provider's words", () => {
    for (const name of ["provider", "model", "eventId", "requestId", "source", "endpoint", "servedModel"]) {
      for (const value of ["a\0b", "\ud83d", "x\udc00y"]) {
        expect(parseAttempt({ ...event, [name]: value }, limits)).toEqual({
          ok: false,
          pointer: `/${name}`,
          detail: "holds U+0000 or half of a surrogate pair, as when a text is cut within a character",
        });
      }
      expect(parseAttempt({ ...event, [name]: "模型 😀" }, limits)).toMatchObject({ ok: true });
    }
    const cut = parseAttempt({ ...event, error: { message: "busy \ud83d" } }, limits);
    expect(cut).toMatchObject({ ok: true, attempt: { evidence: { message: "busy �" } } });
  });

  it("points at the field that is wrong, whatever is wrong with it", () => {
    const field = fc.constantFrom(
      "latencyMs",
      "httpStatus",
      "attempt",
      "isFinal",
      "outcome",
      "model",
      "requestId",
      "error",
    );
    const wrong = fc.constantFrom<unknown>([], Number.NaN, -1, 1e12, 0.5, {}, true, "");
    fc.assert(
      fc.property(field, wrong, (name, value) => {
        const parsed = parseAttempt({ ...event, [name]: value }, limits);
        if (!parsed.ok) expect(parsed.pointer).toBe(`/${name}`);
      }),
    );
  });

  it("takes nothing by its fast way that the schema would refuse", () => {
    const values = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        undefined,
        0,
        -1,
        1,
        99,
        100,
        999,
        1_000,
        0.5,
        32_767,
        32_768,
        2 ** 31 - 1,
        2 ** 31,
      ),
      fc.constantFrom<unknown>(
        Number.NaN,
        Number.POSITIVE_INFINITY,
        "",
        "ok",
        "full",
        true,
        [],
        {},
        "x".repeat(101),
      ),
      fc.constantFrom<unknown>({ type: "a" }, { code: 1 }, { code: {} }, { message: 5 }, "x".repeat(201)),
    );
    const fields = fc.dictionary(fc.constantFrom(...Object.keys(attemptEvent.shape)), values, { maxKeys: 4 });
    fc.assert(
      fc.property(fields, (parts) => {
        const input = { ...event, ...parts };
        if (isPlainEvent(input))
          expect(attemptEvent.safeParse(input)).toEqual({ success: true, data: input });
      }),
      { numRuns: 3_000 },
    );
    expect(
      isPlainEvent({ ...event, latencyMs: 5, eventId: "x", outcome: "ok", error: { message: "m" } }),
    ).toBe(true);
  });

  it("takes null for left out", () => {
    const withNulls = {
      ...event,
      outcome: null,
      httpStatus: null,
      error: null,
      latencyMs: null,
      requestId: null,
      isFinal: null,
    };
    expect(parseAttempt({ ...withNulls, eventId: "x" }, limits)).toEqual(
      parseAttempt({ ...event, eventId: "x" }, limits),
    );
  });

  it("refuses what is more than five minutes ahead or older than retention, to the millisecond", () => {
    const at = (ms: number) => parseAttempt({ ...event, occurredAt: ms }, limits).ok;
    expect([at(NOW_MS + 300_000), at(NOW_MS + 300_001)]).toEqual([true, false]);
    expect([at(NOW_MS - 400 * 86_400_000), at(NOW_MS - 400 * 86_400_000 - 1)]).toEqual([true, false]);
  });

  it("takes the words of an error, as object or text, and nothing else of it", () => {
    const evidenceOf = (error: unknown) => {
      const parsed = parseAttempt({ ...event, outcome: "capacity", error }, limits);
      return parsed.ok ? parsed.attempt.evidence : parsed.pointer;
    };
    expect(evidenceOf("full")).toEqual({ message: "full" });
    expect(evidenceOf({ code: 429, type: "rate_limit_error", stack: "at x" })).toEqual({
      code: "429",
      type: "rate_limit_error",
    });
    expect(evidenceOf({})).toBeNull();
    expect(evidenceOf("")).toBeNull();
    expect(evidenceOf(17)).toBe("/error");
  });
});

describe("parseEventTime", () => {
  const at = Date.parse("2026-07-04T13:59:08.922Z");
  const good: [string | number, number][] = [
    ["2026-07-04T13:59:08.922Z", at],
    ["2026-07-04t13:59:08.922z", at],
    ["2026-07-04 19:29:08.922 +0530", at],
    ["2026-07-04T19:29:08,922+05:30", at],
    ["2026-07-04T09:59:08.922-04", at],
    ["2026-07-04T13:59:08.922999Z", at],
    ["2026-07-04T13:59Z", at - 8_922],
    [at, at],
    [at + 0.7, at],
  ];
  for (const [value, ms] of good) {
    it(`reads ${value}`, () => expect(parseEventTime(value)).toBe(ms));
  }
  for (const value of [
    "2026-07-04",
    "2026-07-04T13:59:08",
    "2026-02-30T00:00:00Z",
    "2026-04-31T10:00:00+02:00",
    "2026-01-01T25:00:00Z",
    "now",
    1_783_173_548,
    Number.NaN,
  ]) {
    it(`says what is wrong with ${value}`, () => expect(typeof parseEventTime(value)).toBe("string"));
  }
});

describe("ids", () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-([78])[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it("leave a UUID as it is, and always make the same one of the same words", () => {
    expect(toUuid("0199D9A0-0000-7000-8000-00000000000A")).toBe("0199d9a0-0000-7000-8000-00000000000a");
    fc.assert(
      fc.property(fc.string({ maxLength: 50 }), (text) => {
        expect(deriveUuid(text)).toMatch(UUID);
        expect(deriveUuid(text)).toBe(deriveUuid(text));
      }),
    );
  });

  it("made here sort by time and do not repeat", () => {
    const ids = Array.from({ length: 2_000 }, (_, i) => uuidV7(NOW_MS + i));
    for (const id of ids) expect(id).toMatch(UUID);
    expect([...ids].sort()).toEqual(ids);
    expect(new Set(Array.from({ length: 2_000 }, () => uuidV7(NOW_MS))).size).toBe(2_000);
  });
});

describe("stored outcomes", () => {
  it("keep their numbers: the list only grows at its end", () => {
    expect(OUTCOMES.slice(0, 16)).toEqual([
      "ok",
      "capacity",
      "rate_limit",
      "quota",
      "auth",
      "permission",
      "not_found",
      "invalid_request",
      "context_length",
      "content_filter",
      "timeout",
      "network",
      "server_error",
      "cancelled",
      "unknown",
      "bad_output",
    ]);
    expect(outcomeCode("capacity")).toBe(1);
  });
});
