import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import type { createSchemaReader } from "./from-schema.ts";
import { mutated } from "./mutate.ts";
import { oddJson } from "./odd.ts";
import type { FuzzRoute } from "./routes.ts";
import { LINES, SAMPLES } from "./samples.ts";

export interface FuzzedBody {
  readonly bytes: Buffer;
  readonly headers: Readonly<Record<string, string>>;
}

const MIB = 1024 * 1024;
const ZEROS = Buffer.alloc(64 * MIB);
/** 64 MiB in some kilobytes, and a second one within. */
const BOMBS: readonly (readonly [encoding: string, bytes: Buffer])[] = [
  ["gzip", gzipSync(ZEROS)],
  ["deflate", deflateSync(ZEROS)],
  ["br", brotliCompressSync(ZEROS, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ["gzip", gzipSync(Buffer.alloc(16 * MIB, "[".charCodeAt(0)))],
  ["gzip", gzipSync(Buffer.from(`{"attempts":[${"{},".repeat(2_000_000)}{}]}`))],
  ["gzip", gzipSync(Buffer.from("{}\n".repeat(2_000_000)))],
  ["gzip", gzipSync(gzipSync(ZEROS))],
];

const nested = (open: string, close: string, inner: string, depth: number) =>
  open.repeat(depth) + inner + close.repeat(depth);

/** Documents that are deep, wide or only nearly JSON. */
const hardJson = fc.oneof(
  fc.tuple(fc.constantFrom("[", '{"a":', '{"attempts":[', '{"error":'), depths()).map(([open, depth]) => {
    const close = open.endsWith("[") ? (open.length > 1 ? "]}" : "]") : "}";
    return nested(open, close, "1", depth);
  }),
  depths().map((depth) => "[".repeat(depth)),
  depths().map((depth) => {
    const deep = nested("[", "]", "", depth);
    return `{"attempts":[{"occurredAt":${Date.now() - 1},"provider":"p","model":"m","httpStatus":500,"error":{"message":${JSON.stringify(deep)}},"x":${deep}}]}`;
  }),
  fc.constantFrom(
    "",
    " ",
    "{",
    "nul",
    "1e999",
    '{"attempts":[1e999,-1e999]}',
    '{"attempts":{"length":1e9}}',
    '{"a":1,"a":2}',
    '{"__proto__":{"polluted":true},"attempts":[]}',
    '{"constructor":{"prototype":{"polluted":true}}}',
    '"\\ud800"',
    '{"attempts":["\\ud800","\\u0000"]}',
    "\ufeff{}",
    "[]\0",
    "NaN",
    `"${"x".repeat(100_000)}"`,
    `[${"0,".repeat(20_000)}0]`,
    `{${Array.from({ length: 5_000 }, (_, i) => `"k${i}":0`).join(",")}}`,
  ),
);

function depths(): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 20, arbitrary: fc.integer({ min: 10, max: 2_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 2_000, max: 20_000 }) },
    { weight: 1, arbitrary: fc.constant(300_000) },
  );
}

const garbage = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));

/** Bodies for a route that takes some; what is not of its kind comes too. */
export function aBody(
  route: FuzzRoute,
  read: ReturnType<typeof createSchemaReader>,
): fc.Arbitrary<FuzzedBody> {
  const json = route.bodies.find(({ type }) => type === "application/json");
  const sample = SAMPLES[route.path];
  const line = LINES[route.path];
  const documents: fc.Arbitrary<unknown>[] = [
    ...(json === undefined ? [oddJson] : [read(json.schema)]),
    ...(sample === undefined ? [] : [mutated(sample), mutated(sample)]),
  ];
  const plain: fc.Arbitrary<{ type: string; bytes: Buffer }>[] = documents.map((arbitrary) =>
    arbitrary.map((document) => ({
      type: "application/json",
      bytes: Buffer.from(JSON.stringify(document) ?? ""),
    })),
  );
  for (const { type } of route.bodies) {
    if (type === "application/json") continue;
    const lines = fc.array(line === undefined ? oddJson : mutated(line), { maxLength: 5 });
    plain.push(
      lines.map((many) => ({
        type,
        bytes: Buffer.from(many.map((one) => JSON.stringify(one) ?? "").join("\n")),
      })),
      garbage.map((bytes) => ({ type, bytes })),
    );
  }
  const hard = hardJson.map((text) => ({ type: "application/json", bytes: Buffer.from(text) }));
  const inner = fc.oneof(
    { weight: 14, arbitrary: fc.oneof(...plain) },
    { weight: 1, arbitrary: hard },
    { weight: 1, arbitrary: garbage.map((bytes) => ({ type: "application/json", bytes })) },
  );
  return fc.oneof(
    { weight: 800, arbitrary: fc.tuple(inner, aPacking, aType).map(pack) },
    { weight: 1, arbitrary: fc.constantFrom(...BOMBS).map(([encoding, bytes]) => aBomb(encoding, bytes)) },
  );
}

const aBomb = (encoding: string, bytes: Buffer): FuzzedBody => ({
  bytes,
  headers: { "content-type": "application/json", "content-encoding": encoding },
});

const PACKERS: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: (bytes) => gzipSync(bytes, { level: 1 }),
  deflate: (bytes) => deflateSync(bytes, { level: 1 }),
  "deflate ": (bytes) => deflateRawSync(bytes, { level: 1 }),
  br: (bytes) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
};

/** How the body is packed, and what is then done to it. */
const aPacking = fc.record({
  as: fc.oneof(
    { weight: 12, arbitrary: fc.constant("") },
    { weight: 3, arbitrary: fc.constantFrom(...Object.keys(PACKERS)) },
  ),
  harm: fc.oneof(
    { weight: 12, arbitrary: fc.constant("none" as const) },
    fc.constantFrom("cut" as const, "flip" as const, "tail" as const, "lie" as const),
  ),
  at: fc.double({ min: 0, max: 0.999, noNaN: true }),
});

const aType = fc.oneof(
  { weight: 20, arbitrary: fc.constant(null) },
  fc.constantFrom(
    "application/json; charset=utf-16",
    "application/vnd.x+json",
    "application/x-ndjson",
    "application/x-protobuf",
    "application/x-www-form-urlencoded",
    "text/plain",
    "multipart/form-data; boundary=x",
    ";;;",
    "",
  ),
);

function pack([{ type, bytes }, { as, harm, at }, otherType]: [
  { type: string; bytes: Buffer },
  { as: string; harm: "none" | "cut" | "flip" | "tail" | "lie"; at: number },
  string | null,
]): FuzzedBody {
  let packed = PACKERS[as]?.(bytes) ?? bytes;
  const place = Math.floor(at * packed.length);
  if (harm === "cut") packed = packed.subarray(0, place);
  if (harm === "flip" && packed.length > 0) {
    packed = Buffer.from(packed);
    packed[place] = (packed[place] as number) ^ 0x41;
  }
  if (harm === "tail") packed = Buffer.concat([packed, Buffer.from("tail")]);
  const encoding = harm === "lie" ? (as === "" ? "gzip" : "identity") : as.trim();
  return {
    bytes: packed,
    headers: {
      "content-type": otherType ?? type,
      ...(encoding === "" ? {} : { "content-encoding": encoding }),
    },
  };
}
