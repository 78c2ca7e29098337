import { Command, Option } from "commander";
import { type Diagnosis, diagnosisAnswer, type Locale } from "../contract/diagnosis.ts";
import { wordsOf } from "../diagnosis/words/words.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

const QUESTION = [
  "episode",
  "provider",
  "model",
  "endpoint",
  "from",
  "to",
  "zone",
  "locale",
  "project",
] as const;

type DiagnoseFlags = ServerFlags & { readonly [name in (typeof QUESTION)[number]]?: string } & {
  readonly json?: true;
  readonly language?: string;
};

/** `busyhour diagnose`: why a model was short of room, as a list to go through. */
export function diagnoseCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("diagnose"))
    .description("Say why a model was short of room, step by step, and what to do.")
    .option("--episode <number>", "an episode, as GET /api/episodes numbers them")
    .option("--model <name>", "else a model")
    .option("--provider <name>", "only of this provider")
    .option("--endpoint <name>", "only at this host or region")
    .option("--from <time>", "from this time on, ISO 8601 with an offset; else the last 24 hours")
    .option("--to <time>", "before this time")
    .option("--zone <zone>", "IANA time zone of the hours; else the project's own")
    .addOption(
      new Option("--language <language>", "of the words: en or zh").choices(["en", "zh"]).default("en"),
    )
    .option("--json", "print the answer of GET /api/diagnosis in one line")
    .action(async (flags: DiagnoseFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const query = new URLSearchParams([
          ...QUESTION.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]])),
          ["locale", flags.language ?? "en"],
        ]);
        const diagnosis = diagnosisAnswer.parse(await api.call("GET", `/api/diagnosis?${query}`));
        const locale = flags.language === "zh" ? "zh" : "en";
        terminal.stdout.write(
          flags.json === true ? `${JSON.stringify(diagnosis)}\n` : formatDiagnosis(diagnosis, locale),
        );
      });
    });
}

/** The steps as a numbered list, and what to do. */
export function formatDiagnosis({ sentence, steps, remedies }: Diagnosis, locale: Locale): string {
  const lines = steps.map(({ asks, says }, i) => `${i + 1}. ${asks}\n   ${says}`);
  const toDo = remedies.map(({ says }) => `- ${says}`);
  return `${[sentence, "", ...lines, "", wordsOf(locale).toDo, ...toDo].join("\n")}\n`;
}
