import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublic, parseAddress } from "./address.ts";
import { ALLOW_NOTHING, type AllowList, parseAllowList } from "./allow-list.ts";
import { assertMayReach, checkUrl } from "./check.ts";
import { OutgoingError } from "./outgoing-error.ts";

type Bytes = readonly [number, number, number, number];

const byte = fc.integer({ min: 0, max: 255 });
const between = (min: number, max: number) => fc.integer({ min, max });

/** Ranges of IPv4 that are nobody's on the internet, written here a second time. */
const privateBytes: fc.Arbitrary<Bytes> = fc.oneof(
  fc.tuple(fc.constant(0), byte, byte, byte),
  fc.tuple(fc.constant(10), byte, byte, byte),
  fc.tuple(fc.constant(100), between(64, 127), byte, byte),
  fc.tuple(fc.constant(127), byte, byte, byte),
  fc.tuple(fc.constant(169), fc.constant(254), byte, byte),
  fc.tuple(fc.constant(172), between(16, 31), byte, byte),
  fc.tuple(fc.constant(192), fc.constant(168), byte, byte),
  fc.tuple(fc.constant(198), between(18, 19), byte, byte),
  fc.tuple(between(224, 255), byte, byte, byte),
  fc.constant([168, 63, 129, 16] as const),
);

const hex = (value: number) => value.toString(16).padStart(2, "0");
const toNumber = ([a, b, c, d]: Bytes) => ((a * 256 + b) * 256 + c) * 256 + d;
const toHextets = ([a, b, c, d]: Bytes) => `${hex(a)}${hex(b)}:${hex(c)}${hex(d)}`;
const FULL_WIDTH = [..."０１２３４５６７８９"];

/** Ways to write an address in a URL, of which browsers and clients understand all. */
const SPELLINGS: Readonly<Record<string, (bytes: Bytes) => string>> = {
  usual: (bytes) => bytes.join("."),
  "with a dot at the end": (bytes) => `${bytes.join(".")}.`,
  "one number": (bytes) => String(toNumber(bytes)),
  hexadecimal: (bytes) => `0x${toNumber(bytes).toString(16)}`,
  octal: (bytes) => `0${toNumber(bytes).toString(8)}`,
  "octal parts": (bytes) => bytes.map((part) => `0${part.toString(8)}`).join("."),
  "hexadecimal parts": (bytes) => bytes.map((part) => `0X${part.toString(16)}`).join("."),
  "mixed parts": ([a, b, c, d]) => `0x${a.toString(16)}.${b}.0${c.toString(8)}.${d}`,
  "three parts": ([a, b, c, d]) => `${a}.${b}.${c * 256 + d}`,
  "two parts": ([a, b, c, d]) => `${a}.${(b * 256 + c) * 256 + d}`,
  "zeros in front": (bytes) => bytes.map((part) => `0x0000${part.toString(16)}`).join("."),
  "percent-encoded": (bytes) => [...bytes.join(".")].map((char) => `%${hex(char.charCodeAt(0))}`).join(""),
  "full-width digits": (bytes) =>
    bytes.join("。").replace(/\d/g, (digit) => FULL_WIDTH[Number(digit)] ?? digit),
  mapped: (bytes) => `[::ffff:${bytes.join(".")}]`,
  "mapped in hexadecimal": (bytes) => `[0:0:0:0:0:FFFF:${toHextets(bytes)}]`,
  compatible: (bytes) => `[::${toHextets(bytes)}]`,
  translated: (bytes) => `[::ffff:0:${toHextets(bytes)}]`,
  NAT64: (bytes) => `[64:ff9b::${bytes.join(".")}]`,
  "local NAT64": (bytes) => `[64:ff9b:1::${toHextets(bytes)}]`,
  "6to4": (bytes) => `[2002:${toHextets(bytes)}::1]`,
  Teredo: (bytes) => `[2001:0:${toHextets(bytes)}::1]`,
};

function codeOf(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return error instanceof OutgoingError ? error.code : `bug: ${String(error)}`;
  }
}

const allow = (text: string): AllowList => {
  const list = parseAllowList(text);
  if ("fault" in list) throw new Error(list.fault);
  return list;
};

describe("an address that is not public", () => {
  for (const [name, spell] of Object.entries(SPELLINGS)) {
    it(`is refused in a URL, ${name}`, () => {
      fc.assert(
        fc.property(privateBytes, (bytes) => {
          const code = codeOf(() => checkUrl(`https://${spell(bytes)}/x`, ALLOW_NOTHING));
          // What is no URL at all is not called either.
          expect(["outgoing_refused", "outgoing_bad_url"]).toContain(code);
        }),
      );
    });
  }

  it("is refused as what a name leads to, alone or among public ones", () => {
    fc.assert(
      fc.property(privateBytes, byte, (bytes, place) => {
        const found = ["1.1.1.1", "2606:4700::1111"];
        found.splice(place % 3, 0, bytes.join("."));
        const addresses = found.map(parseAddress).filter((address) => address !== null);
        expect(addresses).toHaveLength(3);
        expect(codeOf(() => assertMayReach("x.example", addresses, ALLOW_NOTHING))).toBe("outgoing_refused");
      }),
    );
  });

  it.each([
    "::",
    "::1",
    "fe80::1",
    "febf::1",
    "fec0::1",
    "fc00::1",
    "fd00:ec2::254",
    "ff02::1",
    "100::1",
    "2001:db8::1",
    "3fff::1",
    "5f00::1",
    "4000::1",
  ])("of IPv6 is one of them: %s", (text) => {
    const address = parseAddress(text);
    expect(address !== null && isPublic(address)).toBe(false);
  });
});

describe("a public address", () => {
  it.each([
    "1.1.1.1",
    "8.8.8.8",
    "100.63.255.255",
    "172.32.0.1",
    "192.167.1.1",
    "223.255.255.254",
    "11.0.0.1",
  ])("is called: %s", (text) => expect(checkUrl(`https://${text}/`, ALLOW_NOTHING).hostname).toBe(text));

  it.each(["2606:4700::1111", "2a00:1450:4001:80b::200e"])("of IPv6 is called: %s", (text) =>
    expect(checkUrl(`https://[${text}]/`, ALLOW_NOTHING).hostname).toBe(`[${text}]`),
  );
});

describe("a URL", () => {
  it.each([
    "",
    "hooks.example.com",
    "ftp://hooks.example.com/",
    "file:///etc/passwd",
    "gopher://hooks.example.com/",
    "data:text/plain,x",
    "http://hooks.example.com/",
    "https://user:secret@hooks.example.com/",
    "https://user@hooks.example.com/",
    "https://",
    `https://hooks.example.com/${"a".repeat(2_100)}`,
  ])("of this kind is none to call: %s", (text) => {
    expect(codeOf(() => checkUrl(text, ALLOW_NOTHING))).toBe("outgoing_bad_url");
  });

  it("with a name is taken: where it leads is looked at when it is called", () => {
    expect(checkUrl("https://Hooks.Example.com/a?b#c", ALLOW_NOTHING).href).toBe(
      "https://hooks.example.com/a?b#c",
    );
  });
});

describe("what is allowed besides", () => {
  it("is names, all below a name, addresses and networks", () => {
    const list = allow(" Hooks.corp, *.inner.corp, 10.1.0.0/16, 192.168.0.7, fd12::/16 ,");
    for (const url of [
      "http://hooks.corp/",
      "https://hooks.corp./",
      "http://a.b.inner.corp/",
      "http://10.1.2.3/",
      "http://192.168.0.7:8080/",
      "https://[fd12::1]/",
    ])
      expect([url, codeOf(() => checkUrl(url, list))]).toEqual([url, null]);
    for (const url of [
      "http://inner.corp/",
      "http://xhooks.corp/",
      "https://10.2.0.1/",
      "https://192.168.0.8/",
    ])
      expect([url, codeOf(() => checkUrl(url, list)) === null]).toEqual([url, false]);
    const inside = [parseAddress("10.9.9.9")].filter((address) => address !== null);
    expect(codeOf(() => assertMayReach("hooks.corp", inside, list))).toBeNull();
    expect(codeOf(() => assertMayReach("other.corp", inside, list))).toBe("outgoing_refused");
  });

  it("never reaches what clouds answer with their credentials", () => {
    const list = allow("hooks.corp, 0.0.0.0/0, ::/0");
    for (const text of [
      "169.254.169.254",
      "100.100.100.200",
      "168.63.129.16",
      "fd00:ec2::254",
      "::ffff:169.254.169.254",
    ]) {
      const addresses = [parseAddress(text)].filter((address) => address !== null);
      expect([text, codeOf(() => assertMayReach("hooks.corp", addresses, list))]).toEqual([
        text,
        "outgoing_refused",
      ]);
    }
  });

  it.each([
    "http://hooks.corp",
    "hooks.corp:80",
    "10.0.0.0/33",
    "10.0.0",
    "a b",
    "*",
    "169.254.0.0/16",
    "-a.corp",
  ])("is not %s", (entry) =>
    expect(parseAllowList(`ok.corp, ${entry}`)).toEqual({ fault: entry.toLowerCase() }),
  );
});
