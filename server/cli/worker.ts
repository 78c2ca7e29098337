import {
  type BatchStore,
  findProviderOfHost,
  isBatchError,
  type OpenBatchStore,
  type WorkStats,
  work,
} from "@busyhour/sdk";
import { resultFile } from "@busyhour/sdk/files";
import { Command, InvalidArgumentError } from "commander";
import { readSettings } from "../env.ts";
import { CommandError } from "./api-client.ts";
import { createEndpoint } from "./batch-endpoint.ts";
import { createJobHandler } from "./job-handler.ts";
import { findRunningServer } from "./run-file.ts";
import type { Terminal } from "./terminal.ts";

type WorkTerminal = Pick<Terminal, "environment" | "say" | "onInterrupt">;

interface WorkFlags {
  readonly queue: string;
  readonly url: string;
  readonly server?: string;
  readonly key?: string;
  readonly output?: string;
  readonly model?: string;
  readonly keyEnv?: string;
  readonly system?: string;
  readonly maxTokens?: number;
  readonly concurrency?: number;
  readonly timeoutSeconds?: number;
  readonly name?: string;
}

/** Answers may take long, and are paid for. */
const GRACE_MS = 30_000;
const KEY_ENV = "OPENAI_API_KEY";
const SAID_EVERY_MS = 10_000;

const HELP = `
A job's payload is what a line of "busyhour batch" is: a prompt; {"prompt"}, {"messages"} or {"custom_id", "body"} with a
whole request. The answers go to the output, a line of JSON for each, before the queue hears that they are there; a job
that comes again after that is not asked again. While there is no room jobs go back to the queue, and it waits. Ctrl-C
lets finish what is under way; once more ends at once.

Examples:
  busyhour work --queue classify --url https://api.openai.com/v1 --model gpt-5-mini
  busyhour work --url http://127.0.0.1:11434/v1 --model llama --server https://busyhour.example.com --key bh_…
`;

/** `busyhour work`: does the jobs of a queue at an OpenAI-compatible endpoint. */
export function workCommand(terminal: WorkTerminal): Command {
  return new Command("work")
    .description("Do the jobs of a queue: send each as a request to an OpenAI-compatible endpoint.")
    .option("--queue <name>", "whose jobs", "default")
    .requiredOption("--url <url>", "the endpoint, such as https://api.openai.com/v1")
    .option("--server <url>", "the Busyhour server; the one that runs here when left out")
    .option("--key <key>", "a key for it, of the scope work")
    .option("--output <file>", "where answers go; the queue's name with .results.ndjson when left out")
    .option("--model <name>", "the model, where neither payload nor target names one")
    .option(
      "--key-env <name>",
      `the environment variable that holds the endpoint's key; ${KEY_ENV} when left out`,
    )
    .option("--system <text>", "a system message before each prompt")
    .option("--max-tokens <number>", "most tokens of an answer", parseCount)
    .option("--concurrency <number>", "most jobs at once; how many there are is learnt, from 3", parseCount)
    .option("--timeout-seconds <number>", "time of one request; 600 when left out", parseCount)
    .option("--name <name>", "of this worker in the lives of its jobs")
    .addHelpText("after", HELP)
    .action(async (flags: WorkFlags) => {
      await runWorker(flags, terminal);
    });
}

function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1 on.");
  return count;
}

async function runWorker(flags: WorkFlags, terminal: WorkTerminal): Promise<void> {
  const { queue, model, system, maxTokens, concurrency, timeoutSeconds, name } = flags;
  const endpoint = createEndpoint(parseUrl(flags.url), findKey(flags, terminal));
  const server = await findServer(flags, terminal);
  const output = flags.output ?? `${queue.replace(/[^\w.-]+/g, "-")}.results.ndjson`;
  const results = await openResults(resultFile(output));
  try {
    const worker = work(
      queue,
      createJobHandler({
        endpoint,
        results,
        output,
        input: {
          model,
          system,
          maxTokens,
          maxTokensField: endpoint.host === "api.openai.com" ? "max_completion_tokens" : "max_tokens",
        },
        now: Date.now,
      }),
      {
        ...server,
        graceMs: GRACE_MS,
        provider: findProviderOfHost(endpoint.host) ?? endpoint.host,
        ...(model === undefined ? {} : { model }),
        ...(name === undefined ? {} : { name }),
        ...(concurrency === undefined ? {} : { concurrency }),
        ...(timeoutSeconds === undefined ? {} : { timeoutMs: 1_000 * timeoutSeconds }),
        onProblem: createSayer(terminal),
        onProgress: createProgress(terminal),
      },
    );
    terminal.say(`Working on the queue ${queue} of ${server.url}. Answers: ${output}. Ctrl-C stops.`);
    const stopListening = terminal.onInterrupt(() => {
      terminal.say("Ending: what is under way may finish. Once more ends at once.");
      void worker.stop();
    });
    const stats = await worker.done;
    stopListening();
    terminal.say(describe(stats));
  } finally {
    await results.close();
  }
}

async function openResults(store: BatchStore): Promise<OpenBatchStore> {
  try {
    return await store.open({ forgetFailed: false });
  } catch (error) {
    throw isBatchError(error) ? new CommandError(error.message) : error;
  }
}

/** @throws CommandError where there is none, or no key for it */
async function findServer({ server, key }: WorkFlags, { environment }: WorkTerminal) {
  const settings = readSettings(environment);
  if (server !== undefined) {
    const token = key ?? settings.adminToken;
    if (token === undefined)
      throw new CommandError("--server needs a key: give --key, one of the scope work.");
    return { url: parseUrl(server).href, key: token };
  }
  const running = await findRunningServer(settings.dataDir);
  if (running === null)
    throw new CommandError("No Busyhour runs here: start it, or name one by --server and --key.");
  return { url: running.url, key: key ?? running.token };
}

function parseUrl(text: string): URL {
  if (URL.canParse(text)) {
    const url = new URL(text);
    if (url.protocol === "https:" || url.protocol === "http:") return url;
  }
  throw new CommandError(`${text} is no address; write for example https://api.openai.com/v1`);
}

/** @throws CommandError when a variable was named that holds none */
function findKey({ keyEnv }: WorkFlags, { environment }: WorkTerminal): string | null {
  const key = environment[keyEnv ?? KEY_ENV]?.trim() ?? "";
  if (key !== "") return key;
  if (keyEnv === undefined) return null;
  throw new CommandError(`The environment variable ${keyEnv} of --key-env is empty; put the key into it.`);
}

/** Problems of jobs one by one, those of the server each kind once. */
function createSayer({ say }: WorkTerminal) {
  const said = new Set<string>();
  return ({ code, message }: { readonly code: string; readonly message: string }) => {
    if (code !== "job" && said.has(code)) return;
    said.add(code);
    say(message);
  };
}

/** At most so often, and only when something was done. */
function createProgress({ say }: WorkTerminal): (stats: WorkStats) => void {
  let [saidMs, saidDone] = [performance.now(), 0];
  return (stats) => {
    const done = stats.completed + stats.failed + stats.busy;
    if (done === saidDone || performance.now() - saidMs < SAID_EVERY_MS) return;
    [saidMs, saidDone] = [performance.now(), done];
    say(`${describe(stats)} ${stats.inFlight} under way.`);
  };
}

const describe = ({ completed, failed, busy }: WorkStats) =>
  `${completed.toLocaleString("en")} done, ${failed.toLocaleString("en")} attempts failed, ${busy.toLocaleString("en")} found no room.`;
