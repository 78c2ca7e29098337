import fs from "node:fs";
import readline from "node:readline";
import type { Readable } from "node:stream";
import {
  type Classification,
  classify,
  EXPLANATIONS,
  type FailureInput,
  FailureInputError,
  findReason,
  isFailureLine,
  parseFailureLine,
  parsePastedFailure,
} from "@busyhour/sdk";
import { Command, Option } from "commander";
import { CommandError } from "./api-client.ts";
import type { Terminal } from "./terminal.ts";

type ClassifyTerminal = Pick<Terminal, "stdin" | "stdout" | "say" | "setExitCode">;

interface ClassifyFlags {
  readonly explain?: true;
  readonly language: "en" | "zh";
}

const EXIT_BAD_LINES = 3;

const HELP = `
Each line is one failure as JSON: {"id", "provider", "status", "headers", "body", "exception"}, all of them optional;
the answer is one line of JSON each, with the same id. One error pasted as it was printed works too, also as curl -i
prints it. Needs no server and no database.

Exit code: 0 all lines were read, 3 some were not, 1 failed.

Examples:
  busyhour classify errors.jsonl
  pbpaste | busyhour classify --explain
  echo '{"id":1,"status":429,"body":{"error":{"code":"insufficient_quota"}}}' | busyhour classify
`;

/** `busyhour classify [FILE…]`: names failures, as JSON lines or in words. */
export function classifyCommand(terminal: ClassifyTerminal): Command {
  return new Command("classify")
    .description("Name what went wrong with a call: JSON lines, or one error pasted as text.")
    .argument("[files...]", "files to read; - or nothing reads standard input")
    .option("--explain", "say in words which rule decided, why, and what to do now")
    .addOption(
      new Option("--language <language>", "of the words: en or zh").choices(["en", "zh"]).default("en"),
    )
    .addHelpText("after", HELP)
    .action(async (files: string[], flags: ClassifyFlags) => {
      const faults = await classifyAll(files, flags, terminal);
      if (faults > 0) terminal.setExitCode(EXIT_BAD_LINES);
    });
}

/** Names everything in the files, and returns how many lines could not be read. */
async function classifyAll(
  files: readonly string[],
  flags: ClassifyFlags,
  terminal: ClassifyTerminal,
): Promise<number> {
  if (files.length === 0 && terminal.stdin.isTTY) {
    terminal.say("Paste the error, then Ctrl-D. See busyhour classify --help for files and JSON lines.");
  }
  let faults = 0;
  for (const file of files.length > 0 ? files : ["-"]) {
    try {
      const input = file === "-" ? terminal.stdin : fs.createReadStream(file);
      faults += await classifyFile(input, file === "-" ? "Standard input" : file, flags, terminal);
    } catch (error) {
      if (!(error instanceof Error && "syscall" in error)) throw error;
      throw new CommandError(`Cannot read ${file}: ${error.message}`);
    }
  }
  return faults;
}

/** How many lines may come before the first that shows that they are JSON lines. */
const PEEK_LINES = 5;
/** Longest error that is taken as one pasted text; what comes behind it is not read. */
const MAX_PASTED_LENGTH = 1_000_000;

/** Line by line as soon as lines are recognised, so that a file may be of any size. */
async function classifyFile(
  input: Readable,
  name: string,
  flags: ClassifyFlags,
  terminal: ClassifyTerminal,
): Promise<number> {
  let held: string[] = [];
  let heldLength = 0;
  let isLines = false;
  let number = 0;
  let faults = 0;
  const take = (line: string) => {
    number += 1;
    if (line.trim() === "") return;
    try {
      terminal.stdout.write(format(parseFailureLine(line), flags));
    } catch (error) {
      if (!(error instanceof FailureInputError)) throw error;
      faults += 1;
      terminal.say(`${name}, line ${number} ${error.message}`);
    }
  };
  for await (const line of readline.createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (isLines) {
      take(line);
      continue;
    }
    held.push(line);
    heldLength += line.length + 1;
    if (heldLength > MAX_PASTED_LENGTH) break;
    if (held.length <= PEEK_LINES && isFailureLine(line)) {
      isLines = true;
      held.forEach(take);
      held = [];
    }
  }
  if (isLines) return faults;
  const pasted = held.join("\n");
  if (pasted.trim() === "") {
    terminal.say(`${name} is empty: nothing to classify.`);
    return 1;
  }
  try {
    terminal.stdout.write(format(parsePastedFailure(pasted), flags));
    return 0;
  } catch (error) {
    if (!(error instanceof FailureInputError)) throw error;
    terminal.say(`${name} ${error.message}`);
    return 1;
  }
}

function format(input: FailureInput, flags: ClassifyFlags): string {
  const verdict = classify(input.failure);
  return flags.explain
    ? explain(input.id, verdict, flags.language)
    : `${JSON.stringify({ id: input.id, ...verdict })}\n`;
}

const WORDS = {
  en: {
    rule: "rule",
    why: "why",
    now: "now",
    wait: "stated wait",
    retry: "the same call again",
    yes: "worth it",
    no: "hopeless",
  },
  zh: {
    rule: "规则",
    why: "原因",
    now: "现在",
    wait: "要求等待",
    retry: "原样重试",
    yes: "值得",
    no: "无用",
  },
} as const;

/** The verdict in words: name, rule with its reason, what it means, what to do now. */
function explain(id: unknown, verdict: Classification, language: "en" | "zh"): string {
  const words = WORDS[language];
  const { name, why, doNow } = EXPLANATIONS[language][verdict.outcome];
  const reason = findReason(verdict.rule) ?? "";
  const lines = [
    `${id === null ? "" : `${String(id)}: `}${verdict.outcome} (${name})`,
    `  ${words.rule}: ${verdict.rule}${reason === "" ? "" : ` — ${reason}`}`,
    `  ${words.why}: ${why}`,
    `  ${words.now}: ${doNow}`,
    `  ${words.retry}: ${verdict.retryable ? words.yes : words.no}`,
  ];
  if (verdict.retryAfterMs !== null) lines.push(`  ${words.wait}: ${formatWait(verdict.retryAfterMs)}`);
  return `${lines.join("\n")}\n\n`;
}

/** "8 h 24 min", "6 s", "250 ms": the two largest parts. */
function formatWait(milliseconds: number): string {
  if (milliseconds < 1_000) return `${milliseconds} ms`;
  const parts: string[] = [];
  let left = Math.ceil(milliseconds / 1_000);
  for (const [unit, seconds] of [
    ["d", 86_400],
    ["h", 3_600],
    ["min", 60],
    ["s", 1],
  ] as const) {
    const count = Math.floor(left / seconds);
    left %= seconds;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.slice(0, 2).join(" ");
}
