import { Command, Option } from "commander";
import { modelsAnswer } from "../contract/listing.ts";
import { heatmapAnswer } from "../contract/share.ts";
import type { ApiClient } from "./api-client.ts";
import { formatHeatmap } from "./heatmap-text.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

const FILTERS = ["provider", "model", "endpoint", "source", "chain"] as const;
const QUESTION = [...FILTERS, "from", "to", "zone", "count", "outcome"] as const;

type HeatmapFlags = ServerFlags & { readonly [name in (typeof QUESTION)[number]]?: string } & {
  readonly json?: true;
};

/** `busyhour heatmap`: in which hours of the week calls are turned away, as a grid in the terminal. */
export function heatmapCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("heatmap"))
    .description("Show by hour of week how often calls fail for want of capacity.")
    .option("--provider <name>", "only calls of this provider")
    .option("--model <name>", "only calls of this model")
    .option("--endpoint <name>", "only calls of this host or region")
    .option("--source <name>", "only calls of this app")
    .option("--chain <name>", "only calls of this fallback chain")
    .option("--from <time>", "only from this time on, ISO 8601 with an offset; else four weeks back")
    .option("--to <time>", "only before this time")
    .option("--zone <zone>", "IANA time zone of the hours; else the project's own")
    .addOption(new Option("--count <kind>", "what is counted").choices(["attempts", "requests"]))
    .option("--outcome <outcome>", "another outcome than capacity, such as rate_limit")
    .option("--json", "print the 168 cells as JSON, as GET /api/heatmap answers them")
    .action(async (flags: HeatmapFlags) => {
      await withWorkPlace(terminal, flags, ({ api }) => showHeatmap(terminal, api, flags));
    });
}

async function showHeatmap(terminal: Terminal, api: ApiClient, flags: HeatmapFlags): Promise<void> {
  const heatmap = heatmapAnswer.parse(await api.call("GET", `/api/heatmap?${toQuery(flags, QUESTION)}`));
  const { stdout, environment } = terminal;
  if (flags.json === true) {
    stdout.write(`${JSON.stringify(heatmap)}\n`);
    return;
  }
  if (heatmap.cells.every(({ n }) => n === 0)) {
    terminal.say(await explainNothing(api, flags));
    return;
  }
  const isColored = stdout.isTTY === true && !environment["NO_COLOR"] && environment["TERM"] !== "dumb";
  stdout.write(formatHeatmap(heatmap, { of: describeFilters(flags), isColored }));
}

function toQuery(flags: HeatmapFlags, names: readonly (keyof HeatmapFlags)[]): string {
  return new URLSearchParams(
    [...names, "project" as const].flatMap((name) => {
      const value = flags[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  ).toString();
}

function describeFilters(flags: HeatmapFlags): string {
  return FILTERS.flatMap((name) => (flags[name] === undefined ? [] : [`${name} ${flags[name]}`])).join(", ");
}

const MODELS_NAMED = 12;

/** An empty grid is mostly a name that is spelt otherwise. */
async function explainNothing(api: ApiClient, flags: HeatmapFlags): Promise<string> {
  const { models } = modelsAnswer.parse(await api.call("GET", `/api/models?${toQuery(flags, [])}`));
  const names = [...new Set(models.map(({ model }) => model))];
  if (names.length === 0) return "No call was reported yet; one shows a second or two after it was sent.";
  const more = names.length - MODELS_NAMED;
  const list = names.slice(0, MODELS_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
  return `No such call in this time; one shows a second or two after it was sent. Models there are: ${list}.`;
}
