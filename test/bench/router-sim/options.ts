import { DAYS, type DayName } from "./contest.ts";

export interface BenchOptions {
  readonly seeds: readonly number[];
  /** As it was given. */
  readonly seedsText: string;
  readonly days: readonly DayName[];
  readonly isJson: boolean;
}

export const USAGE =
  "npm run bench:router -- [--seeds 7001-7020] [--days mixed,harsh,quiet] [--json]\n" +
  "  --seeds  numbers and ranges: 7-9,12\n" +
  "  --days   days to measure, of mixed, harsh and quiet\n" +
  "  --json   the figures as JSON";

/** Nobody looked at these while the router was made. */
const DEFAULT_SEEDS = "7001-7020";
const MOST_SEEDS = 1_000;

/** @throws {Error} that says which argument is wrong, what it was and what it takes */
export function readOptions(args: readonly string[]): BenchOptions {
  let seedsText = DEFAULT_SEEDS;
  let daysText = Object.keys(DAYS).join(",");
  let isJson = false;
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    if (arg === "--json") {
      isJson = true;
      continue;
    }
    const [name = "", joined] = arg.split("=", 2);
    if (name !== "--seeds" && name !== "--days") throw new Error(`there is no argument “${arg}”`);
    const value = joined ?? args[++at];
    if (value === undefined || value === "" || value.startsWith("--"))
      throw new Error(`${name} needs a value`);
    if (name === "--seeds") seedsText = value;
    else daysText = value;
  }
  return { seeds: readSeeds(seedsText), seedsText, days: readDays(daysText), isJson };
}

/** `7-9,12` is 7, 8, 9, 12. */
function readSeeds(given: string): number[] {
  const seeds = given.split(",").flatMap((part) => {
    const match = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part.trim());
    if (match === null)
      throw new Error(`--seeds takes numbers and ranges such as 7-9,12, not “${part.trim()}”`);
    const [from, to] = [Number(match[1]), Number(match[2] ?? match[1])];
    if (to < from) throw new Error(`--seeds: “${part.trim()}” ends before it begins`);
    if (to - from >= MOST_SEEDS)
      throw new Error(`--seeds: “${part.trim()}” is more than ${MOST_SEEDS} seeds`);
    return Array.from({ length: to - from + 1 }, (_, i) => from + i);
  });
  return [...new Set(seeds)];
}

function readDays(given: string): DayName[] {
  return given.split(",").map((part) => {
    const day = part.trim();
    if (!Object.hasOwn(DAYS, day))
      throw new Error(`--days takes ${Object.keys(DAYS).join(", ")}, not “${day}”`);
    return day as DayName;
  });
}
