import { readFileSync } from "node:fs";
import { Argument, Command, Option } from "commander";
import { EXPORT_FORMATS, type ExportFormat, exportAnswer, PLAN_FORMATS } from "../contract/exports.ts";
import { exportPlan } from "../exports/export-plan.ts";
import { describeLoss, NOT_IN_IT } from "../exports/losses.ts";
import { readLitellm } from "../exports/read-litellm.ts";
import { readPortkey } from "../exports/read-portkey.ts";
import { UnreadableConfig } from "../exports/unreadable-config.ts";
import { AppError } from "../http/app-error.ts";
import { CommandError } from "./api-client.ts";
import { parsePlan } from "./plan-file.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

const QUESTION = ["chain", "at", "model", "hours", "allowed", "zone", "project"] as const;

type ExportFlags = ServerFlags & { readonly [name in (typeof QUESTION)[number]]?: string } & {
  readonly read?: string;
  readonly language?: string;
};

/** `busyhour export`: the plan as another gateway reads it on stdout, and what is lost on stderr. */
export function exportCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("export"))
    .description("Write the published plan for another gateway, or advised windows for a timer.")
    .addArgument(new Argument("<format>", "what to write").choices(EXPORT_FORMATS))
    .option(
      "--read <file>",
      "a plan, LiteLLM's config.yaml or a Portkey config, instead of the published plan",
    )
    .option("--chain <name>", "which chain; the only one, or default")
    .option("--at <window>", "which order: base, now, blend, or the number of an entry of the schedule")
    .option("--model <name>", "windows of this model alone")
    .option("--hours <number>", "length of the windows")
    .option("--allowed <hours>", "hours in which work may run, like 8-20")
    .option("--zone <zone>", "IANA time zone of the windows; else the project's own")
    .addOption(
      new Option("--language <language>", "of the words: en or zh").choices(["en", "zh"]).default("en"),
    )
    .action(async (format: ExportFormat, flags: ExportFlags) => {
      if (flags.read !== undefined) return convertFile(terminal, format, flags.read, flags);
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const query = new URLSearchParams([
          ...QUESTION.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
          ["locale", flags.language ?? "en"],
        ]);
        const file = exportAnswer.parse(await api.call("GET", `/api/exports/${format}?${query}`));
        write(
          terminal,
          file.content,
          file.losses.map(({ says }) => says),
          flags,
        );
      });
    });
}

function write(
  { stdout, say }: Terminal,
  content: string,
  losses: readonly string[],
  { language }: Pick<ExportFlags, "language">,
): void {
  stdout.write(content);
  for (const loss of losses) say(NOT_IN_IT[language === "zh" ? "zh" : "en"] + loss);
}

/** Needs no server: what a file says of names and order, written in another format. */
function convertFile(terminal: Terminal, format: ExportFormat, file: string, flags: ExportFlags): void {
  const planFormat = PLAN_FORMATS.find((one) => one === format);
  if (planFormat === undefined)
    throw new CommandError(`${format} is made of advised windows, which no file has: leave --read out.`);
  const plan = readAnyPlan(file, flags.zone ?? "UTC");
  try {
    const exported = exportPlan(plan, { format: planFormat, chain: flags.chain, at: flags.at }, Date.now());
    const locale = flags.language === "zh" ? "zh" : "en";
    write(
      terminal,
      exported.content,
      exported.losses.map((loss) => describeLoss(loss, locale)),
      flags,
    );
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const faults = (error.errors ?? []).map(({ pointer, detail }) => `--${pointer.slice(1)} ${detail}`);
    throw new CommandError([error.detail ?? error.title, ...faults].join("\n"));
  }
}

function readAnyPlan(file: string, zone: string) {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    throw new CommandError(`${file} cannot be read. Is the path right?`);
  }
  try {
    if (!text.trimStart().startsWith("{")) return readLitellm(text, zone);
    const isPlan = /"chains"\s*:/.test(text);
    return isPlan ? parsePlan(text, file) : readPortkey(text, zone);
  } catch (error) {
    if (error instanceof UnreadableConfig) throw new CommandError(`${file} ${error.message}`);
    throw error;
  }
}
