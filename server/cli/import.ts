import type { Readable } from "node:stream";
import { Command, Option } from "commander";
import { runDryRun } from "../import/dry-run.ts";
import { parseFixedValues, parseMappings } from "../import/field-options.ts";
import { ImportError } from "../import/import-error.ts";
import { STDIN } from "../import/open-input.ts";
import type { ReadOptions } from "../import/open-source.ts";
import type { TextOutput } from "../import/progress.ts";
import { runImport } from "../import/run-import.ts";
import type { ImportSink } from "../import/sink.ts";
import { EXIT, formatSummary, isNothing, NOTHING_IMPORTED, toExitCode } from "../import/summary.ts";
import { createZone } from "../import/zone.ts";

/** Where to import to, as the person said it. */
export interface SinkChoice {
  readonly url?: string;
  readonly key?: string;
  readonly project?: string;
  /** For a line about waiting. */
  readonly say: (line: string) => void;
  /** Aborts when the person breaks off. */
  readonly signal: AbortSignal;
}

export interface ImportDeps {
  /** With a URL the sink of a running server, else that of the data folder. May throw `ImportError`. */
  openSink(choice: SinkChoice): Promise<ImportSink & { close(): Promise<void> }>;
  readonly stdin: Readable & { readonly isTTY?: boolean };
  readonly stdout: TextOutput;
  /** Progress, warnings and errors. */
  readonly stderr: TextOutput;
  readonly now: () => number;
  /** Calls back when the person breaks off; returns what ends the listening. */
  onInterrupt(callback: () => void): () => void;
  setExitCode(code: number): void;
}

interface ImportFlags {
  readonly format?: "ndjson" | "csv";
  readonly delimiter?: string;
  readonly columns?: string;
  readonly map: readonly string[];
  readonly set: readonly string[];
  readonly zone?: string;
  readonly rejects: string;
  readonly dryRun?: true;
  readonly url?: string;
  readonly key?: string;
  readonly project?: string;
}

const HELP = `
Columns are found by name: occurredAt, occurred_at, "HTTP Status", and common ones such as timestamp, status,
error_message, duration_ms or prompt_tokens. Needed are occurredAt, provider and model; the rest is optional.
Times are ISO 8601, or seconds to nanoseconds since 1970, told by their magnitude. In a time zone whose clocks
change, a time that was skipped counts as if the clock had not been put forward, one that came twice as its first.

Rows without an eventId get one made of what they say, so repeating an import, also of a log that grew, stores
nothing twice. Identical rows within about a million rows of each other are counted apart; farther apart they are
taken for a repetition. --map, --set and --zone are part of what a row says: repeat them too.

Exit code: 0 all rows were taken, 3 some were rejected, 1 failed or no file has a row, 130 broken off with Ctrl-C.

Examples:
  busyhour import calls.ndjson.gz
  busyhour import log.csv --zone Europe/Berlin --map latencyMs=duration:s --set provider=openai
  zcat *.gz | busyhour import - --dry-run
`;

/** `busyhour import FILE…`: attempts from log files into a running server or the data folder. */
export function importCommand(deps: ImportDeps): Command {
  const collect = (value: string, before: readonly string[]) => [...before, value];
  return new Command("import")
    .description(
      "Import attempts from NDJSON or CSV files, plain or gzipped; - or nothing reads standard input.",
    )
    .argument("[files...]", "files to import, in this order")
    .addOption(
      new Option("--format <format>", "instead of by the first character").choices(["ndjson", "csv"]),
    )
    .option("--delimiter <char>", "of CSV, instead of by the first lines; tab for a tab")
    .option("--columns <names>", "names of the columns of CSV without a header line, with commas between")
    .option(
      "--map <field=column>",
      "take a field from this column (a.b.c within NDJSON), with :s :ms :us or :ns from a time in that unit; " +
        "an empty column leaves the field out (repeatable)",
      collect,
      [],
    )
    .option("--set <field=value>", "the field of every row, whatever the row says (repeatable)", collect, [])
    .option("--zone <zone>", "IANA time zone of times without an offset, such as Europe/Berlin or UTC")
    .option("--rejects <file>", "where to write which rows were rejected and why", "busyhour-rejects.ndjson")
    .option("--dry-run", "show how the first rows are understood and import nothing")
    .option("--url <url>", "a server elsewhere; else the one that runs here, else the data folder itself")
    .option("--key <key>", "an ingest or admin key for it")
    .option("--project <slug>", "the project; the default one when left out")
    .addHelpText("after", HELP)
    .action(async (files: string[], flags: ImportFlags) => {
      const interrupt = new AbortController();
      const stopListening = deps.onInterrupt(() => {
        deps.stderr.write("\nStopping: what is under way is finished first. Once more ends at once.\n");
        interrupt.abort();
      });
      try {
        deps.setExitCode(await runCommand(files, flags, deps, interrupt.signal));
      } catch (error) {
        if (interrupt.signal.aborted) return deps.setExitCode(EXIT.interrupted);
        if (!(error instanceof ImportError)) throw error;
        deps.stderr.write(`${error.message}\n`);
        deps.setExitCode(EXIT.failed);
      } finally {
        stopListening();
      }
    });
}

async function runCommand(
  files: readonly string[],
  flags: ImportFlags,
  deps: ImportDeps,
  signal: AbortSignal,
): Promise<number> {
  const { stdin, now } = deps;
  const inputs = files.length > 0 ? files : [STDIN];
  if (files.length === 0 && stdin.isTTY) {
    throw new ImportError("Nothing to import: name a file, or pipe one in. See busyhour import --help.");
  }
  const options = toReadOptions(flags);
  if (flags.dryRun) {
    const isGood = await runDryRun({ inputs, stdin, options, out: deps.stdout, now, signal });
    return isGood ? EXIT.ok : EXIT.rejected;
  }
  // The bar may stand in this line; it is drawn again in the next.
  const say = (line: string) => void deps.stderr.write(`${deps.stderr.isTTY ? "\r\u001b[K" : ""}${line}\n`);
  const sink = await deps.openSink({
    ...(flags.url === undefined ? {} : { url: flags.url }),
    ...(flags.key === undefined ? {} : { key: flags.key }),
    ...(flags.project === undefined ? {} : { project: flags.project }),
    say,
    signal,
  });
  try {
    const job = { inputs, stdin, sink, options, rejectsPath: flags.rejects, out: deps.stderr, now, signal };
    const summary = await runImport(job);
    if (isNothing(summary)) deps.stderr.write(`${NOTHING_IMPORTED}\n`);
    else deps.stdout.write(formatSummary(summary));
    return toExitCode(summary);
  } finally {
    await sink.close();
  }
}

function toReadOptions(flags: ImportFlags): ReadOptions {
  const zone = flags.zone === undefined ? undefined : createZone(flags.zone);
  if (flags.delimiter === "") throw new ImportError("--delimiter is empty.");
  return {
    format: flags.format ?? (flags.columns === undefined ? undefined : "csv"),
    delimiter: flags.delimiter === "tab" || flags.delimiter === "\\t" ? "\t" : flags.delimiter,
    columns: flags.columns?.split(",").map((name) => name.trim()),
    mappings: parseMappings(flags.map),
    fixed: parseFixedValues(flags.set, zone),
    zone,
  };
}
