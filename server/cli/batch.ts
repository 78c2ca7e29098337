import path from "node:path";
import {
  type BatchError,
  type BatchSummary,
  createBatchBar,
  findProviderOfHost,
  isBatchError,
  runBatch,
} from "@busyhour/sdk";
import { resultFile } from "@busyhour/sdk/files";
import { Command, InvalidArgumentError, Option } from "commander";
import { CommandError } from "./api-client.ts";
import { createEndpoint } from "./batch-endpoint.ts";
import { readBatchInput } from "./batch-input.ts";
import type { Terminal } from "./terminal.ts";

type BatchTerminal = Pick<Terminal, "environment" | "stderr" | "say" | "onInterrupt" | "setExitCode">;

interface BatchFlags {
  readonly input: string;
  readonly output?: string;
  readonly url: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly system?: string;
  readonly maxTokens?: number;
  readonly concurrency?: number;
  readonly timeoutSeconds?: number;
  readonly format?: "lines" | "ndjson";
  readonly resume?: true;
  readonly retryFailed?: true;
  readonly language: "en" | "zh";
}

const EXIT_SOME_FAILED = 3;
const EXIT_INTERRUPTED = 130;
/** Answers may take long, and are paid for. */
const GRACE_MS = 30_000;
const KEY_ENV = "OPENAI_API_KEY";

const HELP = `
Each line of the input is a prompt; or JSON: {"prompt"}, {"messages"} or {"custom_id", "body"} with a whole request.
An "id" or "custom_id" names a line for good; else it is known by its place. The output has a line of JSON for each,
in the order in which they came. While the model has no room it waits and goes on by itself. Ctrl-C lets finish what is
under way; --resume goes on from there, also after a crash. Needs no server and no database.

Exit code: 0 all answered, 3 some failed, 1 stopped, 130 interrupted.

Examples:
  busyhour batch --input prompts.txt --url https://api.openai.com/v1 --model gpt-5-mini
  busyhour batch --input prompts.ndjson --output answers.ndjson --url http://127.0.0.1:11434/v1 --model llama --resume
`;

/** `busyhour batch`: asks for each prompt of a file, and stores what comes. */
export function batchCommand(terminal: BatchTerminal): Command {
  return new Command("batch")
    .description(
      "Ask an OpenAI-compatible endpoint for each prompt of a file; can be broken off and gone on with.",
    )
    .requiredOption("--input <file>", "prompts: text or JSON, one a line")
    .option("--output <file>", "where results go; the input's name with .results.ndjson when left out")
    .requiredOption("--url <url>", "the endpoint, such as https://api.openai.com/v1")
    .option("--model <name>", "the model, where a line names none")
    .option("--key-env <name>", `the environment variable that holds the key; ${KEY_ENV} when left out`)
    .option("--system <text>", "a system message before each prompt")
    .option("--max-tokens <number>", "most tokens of an answer", parseCount)
    .option(
      "--concurrency <number>",
      "most requests at once; how many there are is learnt, from 3",
      parseCount,
    )
    .option("--timeout-seconds <number>", "time of one request; 600 when left out", parseCount)
    .addOption(new Option("--format <format>", "of the input: lines or ndjson").choices(["lines", "ndjson"]))
    .option("--resume", "go on where the output ends")
    .option("--retry-failed", "go on, and try again what failed")
    .addOption(
      new Option("--language <language>", "of the progress: en or zh").choices(["en", "zh"]).default("en"),
    )
    .addHelpText("after", HELP)
    .action(async (flags: BatchFlags) => {
      terminal.setExitCode(await runBatchFile(flags, terminal));
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return count;
}

/** @returns the exit code */
async function runBatchFile(flags: BatchFlags, terminal: BatchTerminal): Promise<number> {
  const url = parseUrl(flags.url);
  const endpoint = createEndpoint(url, findKey(flags, terminal));
  const { input, system, model, maxTokens } = flags;
  const output = flags.output ?? `${input.replace(/\.[^./\\]+$/, "")}.results.ndjson`;
  if (path.resolve(output) === path.resolve(input))
    throw new CommandError("--output must be another file than --input.");
  const items = await readBatchInput(input, flags.format, {
    model,
    system,
    maxTokens,
    maxTokensField: endpoint.host === "api.openai.com" ? "max_completion_tokens" : "max_tokens",
  });
  const bar = createBatchBar(terminal.stderr, { locale: flags.language });
  const controller = new AbortController();
  const stopListening = terminal.onInterrupt(() => {
    bar.say("Ending: what is under way may finish. Once more ends at once.");
    controller.abort();
  });
  try {
    const summary = await runBatch({
      items,
      run: (request, { signal }) => endpoint.ask(request, signal),
      id: ({ id }, index) => id ?? index,
      store: resultFile(output),
      resume: flags.resume ?? flags.retryFailed ?? false,
      retryFailed: flags.retryFailed ?? false,
      graceMs: GRACE_MS,
      provider: findProviderOfHost(endpoint.host) ?? endpoint.host,
      ...(model === undefined ? {} : { model }),
      ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
      ...(flags.timeoutSeconds === undefined ? {} : { timeoutMs: 1_000 * flags.timeoutSeconds }),
      signal: controller.signal,
      onProgress: bar.update,
    });
    bar.end();
    terminal.say(describeEnd(summary, output));
    if (!summary.isComplete) return EXIT_INTERRUPTED;
    return summary.failed > 0 ? EXIT_SOME_FAILED : 0;
  } catch (error) {
    bar.end();
    if (!isBatchError(error)) throw error;
    throw new CommandError(describeFault(error, output));
  } finally {
    stopListening();
  }
}

function describeFault({ kind, message }: BatchError, output: string): string {
  switch (kind) {
    case "not_empty":
      return `${output} holds results already. Go on with --resume, or name another --output.`;
    case "changed":
      return `${message}. The model, --system and --max-tokens are part of an item.`;
    case "input":
      return message;
    default:
      return `${message}\nWhat is finished stays in ${output}; --resume goes on from there.`;
  }
}

function parseUrl(text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (url.protocol === "https:" || url.protocol === "http:") return url;
  }
  throw new CommandError(`--url ${text} is no address; write for example https://api.openai.com/v1`);
}

/** @throws CommandError when a variable was named that holds none */
function findKey({ keyEnv }: BatchFlags, { environment }: BatchTerminal): string | null {
  const key = environment[keyEnv ?? KEY_ENV]?.trim() ?? "";
  if (key !== "") return key;
  if (keyEnv === undefined) return null;
  throw new CommandError(`The environment variable ${keyEnv} of --key-env is empty; put the key into it.`);
}

function describeEnd({ done, failed, earlier, isComplete }: BatchSummary, output: string): string {
  const count = (value: number) => value.toLocaleString("en");
  const before = earlier > 0 ? `, ${count(earlier)} of them before` : "";
  const head = `${count(done)} finished${before}; ${count(failed)} failed. Results: ${output}`;
  if (!isComplete) return `${head}\nNot complete: the same command with --resume goes on from here.`;
  return failed > 0 ? `${head}\n--retry-failed tries again what failed.` : head;
}
