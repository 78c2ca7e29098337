import { Command, Option } from "commander";
import { reportAnswer, reportsAnswer } from "../contract/report.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

type ReportFlags = ServerFlags & {
  readonly project?: string;
  readonly language: string;
  readonly json?: true;
};

/** `busyhour report`: a week as Markdown. */
export function reportCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("report"))
    .description("Show the report of a week: how it went, and whether to change quota or order.")
    .argument("[week]", "like 2026-W48; the last one that is over when left out")
    .addOption(
      new Option("--language <language>", "of the words: en or zh").choices(["en", "zh"]).default("en"),
    )
    .option("--json", "print the answer of GET /api/reports/:week in one line")
    .action(async (week: string | undefined, flags: ReportFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        const project = flags.project === undefined ? {} : { project: flags.project };
        const listed = new URLSearchParams(project);
        const { weeks } = reportsAnswer.parse(await api.call("GET", `/api/reports?${listed}`));
        const name = week ?? weeks.find(({ isOver }) => isOver)?.week ?? "";
        const query = new URLSearchParams({ ...project, locale: flags.language });
        const path = `/api/reports/${encodeURIComponent(name)}?${query}`;
        const answer = reportAnswer.parse(await api.call("GET", path));
        terminal.stdout.write(
          flags.json === true ? `${JSON.stringify(answer)}\n` : `# ${answer.title}\n\n${answer.markdown}`,
        );
      });
    });
}
