import { describe, expect, it } from "vitest";
import { createUuidV7 } from "./uuid-v7.ts";

describe("a UUIDv7", () => {
  it("is laid out as RFC 9562 says: 48 bits of time, version, randomness, variant", () => {
    // The time of the RFC's example (appendix A.6), with all random bits set, and with none.
    const timeMs = 0x017f22e279b0;
    expect(createUuidV7((bytes) => bytes.fill(0xff))(timeMs)).toBe("017f22e2-79b0-7fff-bfff-ffffffffffff");
    expect(createUuidV7((bytes) => bytes.fill(0))(timeMs)).toBe("017f22e2-79b0-7000-8000-000000000000");
  });

  it("is another one each time, and sorts by time", () => {
    const make = createUuidV7((bytes) => crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>));
    const ids = Array.from({ length: 5_000 }, (_, i) => make(1_796_000_000_000 + Math.floor(i / 10) * 7));
    expect(new Set(ids).size).toBe(5_000);
    const times = ids.map((id) => id.slice(0, 13));
    expect(times).toEqual([...times].sort());
  });

  it("is one for times that are none as well", () => {
    const make = createUuidV7((bytes) => bytes.fill(0));
    expect([make(-5), make(0.9)]).toEqual(new Array(2).fill("00000000-0000-7000-8000-000000000000"));
  });
});
