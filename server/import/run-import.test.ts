import { createHash } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import type { AttemptEvent } from "@busyhour/sdk";
import { afterEach, beforeEach, expect, test } from "vitest";
import { runDryRun } from "./dry-run.ts";
import { parseFixedValues, parseMappings } from "./field-options.ts";
import { runImport } from "./run-import.ts";
import type { ImportSink } from "./sink.ts";
import { createZone } from "./zone.ts";

const NOW = Date.parse("2026-07-05T00:00:00Z");
let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "busyhour-import-"));
});
afterEach(() => rm(folder, { recursive: true }));

interface Given {
  files: Record<string, string | Buffer>;
  stdin?: string;
  maps?: string[];
  sets?: string[];
  columns?: string[];
  zone?: string;
  rawRetentionDays?: number;
  onSend?: (events: readonly AttemptEvent[]) => void;
  abort?: AbortController;
}

async function prepare(given: Given) {
  const inputs: string[] = [];
  for (const [name, content] of Object.entries(given.files)) {
    await writeFile(join(folder, name), content);
    inputs.push(join(folder, name));
  }
  if (given.stdin !== undefined) inputs.push("-");
  return {
    inputs,
    stdin: Readable.from(given.stdin === undefined ? [] : [Buffer.from(given.stdin)]),
    options: {
      mappings: parseMappings(given.maps ?? []),
      fixed: parseFixedValues(given.sets ?? []),
      columns: given.columns,
      zone: given.zone === undefined ? undefined : createZone(given.zone),
    },
    now: () => NOW,
    signal: (given.abort ?? new AbortController()).signal,
  };
}

/** Imports into a list that knows ids, as a server would. */
async function importAll(given: Given) {
  const events: AttemptEvent[] = [];
  const said: string[] = [];
  const sink: ImportSink = {
    describe: () => "a list",
    limits: async () => ({ rawRetentionDays: given.rawRetentionDays ?? 90 }),
    async send(batch) {
      given.onSend?.(batch);
      const known = new Set(events.map(({ eventId }) => eventId));
      const fresh = batch.filter(({ eventId }) => !known.has(eventId));
      events.push(...fresh);
      return { accepted: fresh.length, duplicates: batch.length - fresh.length, rejected: [] };
    },
    finish: async () => {},
  };
  const job = {
    ...(await prepare(given)),
    sink,
    rejectsPath: join(folder, "rejects.ndjson"),
    out: { write: (text: string) => said.push(text) },
  };
  const summary = await runImport(job);
  return { summary, events, ids: events.map(({ eventId }) => eventId), said: said.join("") };
}

const ROWS = [
  {
    occurredAt: "2026-07-04T12:00:00Z",
    provider: "openai",
    model: "gpt-4o",
    httpStatus: 200,
    latencyMs: 812,
  },
  { occurredAt: "2026-07-04T12:00:01Z", provider: "openai", model: "gpt-4o", httpStatus: 503, latencyMs: 12 },
  { occurredAt: "2026-07-04T12:00:01Z", provider: "openai", model: "gpt-4o", httpStatus: 503, latencyMs: 12 },
];
const NDJSON = ROWS.map((row) => `${JSON.stringify(row)}\n`).join("");
const CSV_ROWS = ROWS.map(
  (row) => `${Date.parse(row.occurredAt)},openai,"gpt-4o",${row.httpStatus},${row.latencyMs}.0\r\n`,
).join("");
const CSV = `ts,provider,model,HTTP Status,latency\r\n${CSV_ROWS}`;

test("identical rows are two events, and importing again adds nothing", async () => {
  const { summary, ids } = await importAll({ files: { "a.ndjson": NDJSON, "b.ndjson": NDJSON } });
  expect(summary).toMatchObject({ rows: 6, accepted: 3, duplicates: 3, rejected: 0, rejectsPath: null });
  expect(new Set(ids).size).toBe(3);
});

test.each<[string, Given]>([
  ["gzip, whatever the name", { files: { "a.txt": gzipSync(NDJSON) } }],
  [
    "several gzip members",
    { files: { a: Buffer.concat([gzipSync(NDJSON.slice(0, 99)), gzipSync(NDJSON.slice(99))]) } },
  ],
  ["standard input", { files: {}, stdin: NDJSON }],
  ["blank lines and CRLF", { files: { a: `\n${NDJSON.replaceAll("\n", "\r\n\r\n")}` } }],
  ["keys in another order, and one more", { files: { a: reorder(NDJSON) } }],
  ["CSV with other names and notations", { files: { a: CSV } }],
  ["CSV with semicolons", { files: { a: CSV.replaceAll(",", ";") } }],
  [
    "CSV that lost its header",
    { files: { a: CSV_ROWS }, columns: ["ts", "provider", "model", "status", "latency"] },
  ],
  [
    "CSV whose header is named too",
    { files: { a: CSV }, columns: ["TS", "provider", "model", "http_status", "latency"] },
  ],
  [
    "local times with their zone",
    { files: { a: NDJSON.replaceAll(/T12:(..):(..)Z/g, " 14:$1:$2") }, zone: "Europe/Berlin" },
  ],
  [
    "a mapped and a set field",
    {
      files: { a: NDJSON.replaceAll("latencyMs", "x").replaceAll('"provider":"openai",', "") },
      maps: ["latencyMs=x"],
      sets: ["provider=openai"],
    },
  ],
])("the same rows as %s have the same ids", async (_name, given) => {
  const plain = await importAll({ files: { "plain.ndjson": NDJSON } });
  const other = await importAll(given);
  expect(other.ids).toEqual(plain.ids);
});

function reorder(text: string): string {
  const rows = text
    .trim()
    .split("\n")
    .map((line) => Object.entries(JSON.parse(line)).reverse());
  return rows.map((row) => `${JSON.stringify({ extra: 1, ...Object.fromEntries(row) })}\n`).join("");
}

test("a log that grew adds its new rows only, its cut-off last line included", async () => {
  const grown = `${NDJSON}${NDJSON.replaceAll("812", "813")}`;
  const before = await importAll({ files: { a: grown.slice(0, NDJSON.length + 40) } });
  const after = await importAll({ files: { a: grown } });
  expect(before.summary).toMatchObject({ accepted: 3, rejected: 1 });
  // The identical rows go on counting: the new copies are numbers 3 and 4.
  expect(new Set([...before.ids, ...after.ids]).size).toBe(6);
});

test("an id that a row brings is kept", async () => {
  const { ids } = await importAll({ files: { a: JSON.stringify({ ...ROWS[0], eventId: "mine" }) } });
  expect(ids).toEqual(["mine"]);
});

test("rejects are listed by file, line and reason, without what they held", async () => {
  const files = {
    "a.ndjson": `${NDJSON}secret\n${JSON.stringify({ ...ROWS[0], latencyMs: "secret", note: 1 })}\n`,
  };
  const { summary } = await importAll({ files });
  expect(summary).toMatchObject({ rows: 5, accepted: 3, rejected: 2, ignoredColumns: ["note"] });
  const lines = (await readFile(join(folder, "rejects.ndjson"), "utf8")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { file: join(folder, "a.ndjson"), line: 4, pointer: "", detail: "is not JSON" },
    { file: join(folder, "a.ndjson"), line: 5, pointer: "/latencyMs", detail: "must be a number" },
  ]);
});

test.each<[string, Given, RegExp]>([
  ["a JSON array", { files: {}, stdin: "[1]" }, /^stdin: is a JSON array; .* jq -c/],
  [
    "a missing column",
    { files: { a: "ts,model\n1,2\n" } },
    /no column for provider\.\n {2}Columns there are: ts, model\n.*--set provider=VALUE/,
  ],
  [
    "a missing key",
    { files: { a: '{"time":1,"provider":"x"}\n' } },
    /no field for model\.\n {2}Fields there are: time, provider/,
  ],
  [
    "a missing zone",
    { files: { a: "ts,provider,model\n2026-07-04 12:00:00,a,b\n" } },
    /--zone UTC or --zone Europe/,
  ],
  [
    "a mapped column",
    { files: { a: CSV }, maps: ["chain=route"] },
    /no column route\.\n {2}Columns there are: ts, provider/,
  ],
  [
    "a fault in the last file",
    { files: { a: NDJSON, b: "x,y\n1,2\n" } },
    /b: there is no column for occurredAt, provider, model/,
  ],
])("%s ends it before the first row", async (_name, given, message) => {
  let sent = 0;
  await expect(importAll({ ...given, onSend: () => sent++ })).rejects.toThrow(message);
  expect(sent).toBe(0);
});

test("rows older than raw retention are announced before the first one is sent", async () => {
  const { said } = await importAll({ files: { a: NDJSON }, rawRetentionDays: 0.1 });
  expect(said).toContain("BUSYHOUR_RAW_RETENTION_DAYS");
});

test("a mapped key that the first rows lack is pointed out, for it may be a slip or just rare", async () => {
  const { said, summary } = await importAll({ files: { a: NDJSON }, maps: ["inputTokens=usage.input"] });
  expect(said).toContain("--map names usage.input, and none of the first rows has it.");
  expect(summary.accepted).toBe(3);
});

test("breaking off keeps what was sent, and repeating completes it", async () => {
  const rows = Array.from({ length: 30_000 }, (_, at) =>
    JSON.stringify({ ...ROWS[0], latencyMs: at % 20_000 }),
  );
  const files = { a: rows.join("\n") };
  const abort = new AbortController();
  const first = await importAll({ files, abort, onSend: () => abort.abort() });
  expect(first.summary).toMatchObject({ isInterrupted: true, failure: null });
  expect(first.summary.accepted).toBeLessThan(30_000);
  const second = await importAll({ files });
  expect(second.summary.accepted).toBe(30_000);
  expect(new Set([...first.ids, ...second.ids]).size).toBe(30_000);
});

test("a damaged gzip file imports what is whole and then fails by name", async () => {
  // Little to pack, so that a few rows make more than one block of the file.
  const noise = (at: number) => createHash("sha512").update(String(at)).digest("hex");
  const rows = Array.from({ length: 12_000 }, (_, at) =>
    JSON.stringify({ ...ROWS[0], requestId: noise(at) }),
  );
  const packed = gzipSync(rows.join("\n"));
  expect(packed.length).toBeGreaterThan(300_000);
  const { summary } = await importAll({ files: { "a.gz": packed.subarray(0, packed.length - 100) } });
  const size = (packed.length - 100).toLocaleString("en");
  expect(summary.failure).toBe(
    `${join(folder, "a.gz")}: the gzip data breaks off before its end, at byte ${size} of the file: was it copied whole?`,
  );
  expect(summary.accepted).toBeGreaterThan(0);
});

test.each<[string, (packed: Buffer) => Buffer, RegExp]>([
  [
    "another checksum",
    (packed) => withByte(packed, packed.length - 6),
    /its checksum is wrong, so something bef/,
  ],
  ["a broken block", (packed) => withByte(packed, 10), /gzip data is damaged, after byte 0 of the file/],
  [
    "text after its end",
    (packed) => Buffer.concat([packed, Buffer.from("text")]),
    /not begin as such, after byte/,
  ],
  ["a broken beginning", (packed) => withByte(packed, 0), /a\.gz: is called gzip but does not begin as gzip/],
])("a gzip file with %s is named with what is wrong", async (_what, damage, words) => {
  const importing = importAll({ files: { "a.gz": damage(gzipSync(NDJSON)) } });
  const told = await importing.then(
    ({ summary }) => summary.failure,
    (error: Error) => error.message,
  );
  expect(told).toMatch(words);
});

/** The data with another byte at a place. */
function withByte(data: Buffer, at: number): Buffer {
  const changed = Buffer.from(data);
  changed[at] = (changed[at] ?? 0) ^ 0xff;
  return changed;
}

test("rows that are not UTF-8 are rejected with their line", async () => {
  const german = CSV.replaceAll("openai", "für").slice(CSV.indexOf("\n") + 1);
  const file = Buffer.concat([Buffer.from(CSV), Buffer.from(german, "latin1")]);
  const { summary } = await importAll({ files: { a: file } });
  expect(summary).toMatchObject({
    accepted: 3,
    rejected: 3,
    reasons: [{ detail: expect.stringContaining("is not UTF-8"), line: 5 }],
  });
});

test.each<[string, Given, RegExp]>([
  ["an empty file", { files: { a: "" } }, /\/a: is empty/],
  ["blank lines, packed", { files: { a: gzipSync("\n\n") } }, /\/a: is empty/],
  ["a header alone", { files: { a: CSV.slice(0, CSV.indexOf("\n")) } }, /\/a: has a header line and no rows/],
  ["an empty pipe", { files: {}, stdin: "" }, /stdin: is empty/],
])("%s is said to hold nothing", async (_what, given, words) => {
  const { summary, said } = await importAll(given);
  expect(summary).toMatchObject({ rows: 0, failure: null });
  expect(said).toMatch(words);
});

test("an empty file beside one with rows is said, and the rows are taken", async () => {
  const { summary, said } = await importAll({ files: { a: "", b: NDJSON } });
  expect(summary.accepted).toBe(3);
  expect(said).toContain(`${join(folder, "a")}: is empty.\n`);
});

test("a dry run shows format, columns, first rows and faults", async () => {
  const written: string[] = [];
  const csv = `${CSV.replaceAll("\r\n", ",x\r\n").replace("latency,x", "latency,foo")}1,a,b,99,fast,x\r\n1,a,b,99,1,x\r\n`;
  const job = await prepare({ files: { "a.csv": csv }, sets: ["source=replay"] });
  const isGood = await runDryRun({ ...job, out: { write: (text: string) => written.push(text) } });
  expect(isGood).toBe(false);
  const event = '"provider":"openai","model":"gpt-4o"';
  expect(written.join("").replaceAll(`${folder}/`, "")).toBe(`a.csv: CSV, delimiter ,
  ts → occurredAt
  provider → provider
  model → model
  HTTP Status → httpStatus
  latency → latencyMs
  --set source = replay
  ignored: foo
  First rows as understood:
    {"occurredAt":"2026-07-04T12:00:00.000Z",${event},"httpStatus":200,"latencyMs":812,"source":"replay"}
    {"occurredAt":"2026-07-04T12:00:01.000Z",${event},"httpStatus":503,"latencyMs":12,"source":"replay"}
    {"occurredAt":"2026-07-04T12:00:01.000Z",${event},"httpStatus":503,"latencyMs":12,"source":"replay"}
  Of the first 5 rows 3 are good, 2 bad.
    1 × /latencyMs must be a number (a.csv, line 5)
    1 × /httpStatus must be at least 100 (a.csv, line 6)
`);
});
