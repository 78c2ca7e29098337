import fc from "fast-check";

const DAY_MS = 86_400_000;

/** Texts that broke somebody's program once. None of them is a text that is planted. */
const ODD_TEXTS: readonly string[] = [
  "",
  " ",
  "null",
  "undefined",
  "NaN",
  "-0",
  "0x10",
  "1e999",
  "true",
  "[object Object]",
  "__proto__",
  "constructor",
  "hasOwnProperty",
  "../../etc/passwd",
  "..%2f..%2fserver.json",
  "%00",
  "%",
  "%ff",
  "\0",
  "\u0000x",
  "\ud800",
  "\udc00\ud800",
  "\ufeff",
  "\u202e\u0645\u0631\u062d\u0628\u0627",
  "İıſß",
  "👨‍👩‍👧‍👦",
  "e\u0301".repeat(50),
  "'; drop table attempt; --",
  '" or 1=1 --',
  "$1",
  "#{7*7}",
  "{{7*7}}",
  "<script>alert(1)</script>",
  "a\r\nset-cookie: x=y",
  "\\",
  "'",
  '"',
  "`",
  "%s%n",
  "-1",
  "99999999999999999999",
  "2147483648",
  "1.5",
  "١٢٣",
  "9".repeat(400),
  "a".repeat(5_000),
  "Bearer x",
  "/",
  "//evil.example",
  "http://169.254.169.254/",
];

const ODD_NUMBERS: readonly number[] = [
  0,
  -0,
  -1,
  1,
  0.1,
  1e-320,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53,
  2 ** 63,
  1e308,
  -1e308,
  8.64e15,
  8.64e15 + 1,
  32_767,
  32_768,
];

/** Times around the edges of what is kept, of PostgreSQL and of `Date`. */
const ODD_TIMES: readonly string[] = [
  "0001-01-01T00:00:00Z",
  "9999-12-31T23:59:59Z",
  "+275760-09-13T00:00:00Z",
  "-271821-04-20T00:00:00Z",
  "+294277-01-01T00:00:00Z",
  "1970-01-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-03-29T02:30:00+01:00",
  "2026-11-29",
  "2026-11-29T12:00:00",
  "2026-11-29T24:00:00Z",
  "2016-12-31T23:59:60Z",
  "2026-11-29T12:00:00.123456789Z",
  "2026-W48-7",
  "infinity",
  "-infinity",
  "now",
  "epoch",
  "0",
  "-1",
  "8640000000000001",
];

export const oddText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...ODD_TEXTS) },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 300 }) },
);

export const oddNumber = fc.oneof(fc.constantFrom(...ODD_NUMBERS), fc.double({ noNaN: true }), fc.integer());

/** Mostly of these weeks, in the spellings that are taken. */
export const aTime = fc.oneof(
  {
    weight: 6,
    arbitrary: fc
      .integer({ min: 0, max: 60 * DAY_MS })
      .map((ago) => new Date(Date.now() - ago).toISOString()),
  },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: 500 * DAY_MS }).map((ago) => String(Date.now() - ago)) },
  { weight: 2, arbitrary: fc.constantFrom(...ODD_TIMES) },
);

/** Any JSON, of a depth that does not matter. */
export const oddJson = fc.oneof(
  { weight: 3, arbitrary: oddText },
  { weight: 3, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}, [null], { "": null }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 3 }) },
);
