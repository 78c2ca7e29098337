import { stringify } from "yaml";
import type { Advice, TargetAdviceAnswer } from "../contract/advice.ts";
import { AppError } from "../http/app-error.ts";
import type { ExportedFile } from "./format.ts";

const DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;
const HOUR_S = 3_600;

interface Timer {
  /** Name of what is called; `any` for whichever has room. */
  readonly name: string;
  readonly window: TargetAdviceAnswer["windows"][number];
}

/**
 * The windows in which to run: of whichever target has room where that is advised, else of each target. Not both: who
 * takes the file as it is would do the work twice.
 *
 * @throws AppError 409 where no window is advised
 */
function listTimers({ any, targets }: Advice): Timer[] {
  const ofAny = (any?.windows ?? []).map((window) => ({ name: "any", window }));
  if (ofAny.length > 0) return ofAny;
  const timers = targets.flatMap(({ model, endpoint, windows }) =>
    windows.map((window) => ({ name: endpoint === "" ? model : `${model} @ ${endpoint}`, window })),
  );
  if (timers.length > 0) return timers;
  throw new AppError({
    status: 409,
    code: "nothing_to_export",
    title: "No window is advised",
    detail: `There is nothing to put into a timer: ${whyNone(targets)}. See docs/advice.md.`,
  });
}

const WHY: Readonly<Record<TargetAdviceAnswer["verdict"], string>> = {
  advise: "has windows",
  noGain: "has no hour that is much better",
  noPattern: "has hours that do not repeat",
  tooLittleData: "has too few calls as yet",
};

function whyNone(targets: Advice["targets"]): string {
  if (targets.length === 0) return "no call is known of what was asked for";
  return targets
    .map(({ model, verdict }) => `${model} ${WHY[verdict]}`)
    .slice(0, 5)
    .join(", ");
}

/** `0 2 * * 1-5`: minute, hour, day of month, month, days of week, 0 = Sunday. */
export function toCron({ days, from }: Pick<TargetAdviceAnswer["windows"][number], "days" | "from">): string {
  const numbers = DAYS.flatMap((day, i) => (days.includes(day) ? [i] : []));
  return `0 ${Number.parseInt(from, 10)} * * ${numbers.length === 7 ? "*" : numbers.join(",")}`;
}

/** Lines of a crontab, one for each window, at the hour at which it opens. */
export function writeCrontab(advice: Advice): ExportedFile {
  const lines = listTimers(advice).flatMap(({ name, window }) => [
    `# ${oneLine(name)}: until ${window.to}, ${percent(window.expected)} expected to find no room, usually ${percent(window.usual)}`,
    `${toCron(window)} your-command`,
  ]);
  return {
    fileName: "busyhour.crontab",
    mediaType: "text/plain",
    content: `${[`CRON_TZ=${advice.zone}`, ...lines].join("\n")}\n`,
    losses: ["changes", "cronZone", "command"],
  };
}

/** A CronJob for each window, in its own zone; it must begin while the window is open. */
export function writeCronJobs(advice: Advice): ExportedFile {
  const names = new Map<string, number>();
  const documents = listTimers(advice).map(({ name, window }) => {
    const label = toLabel(name);
    const count = (names.get(label) ?? 0) + 1;
    names.set(label, count);
    return {
      apiVersion: "batch/v1",
      kind: "CronJob",
      metadata: {
        name: `run-${label}${count === 1 ? "" : `-${count}`}`,
        annotations: {
          "busyhour/window": `${window.from}-${window.to}`,
          "busyhour/expected": String(round(window.expected)),
        },
      },
      spec: {
        schedule: toCron(window),
        timeZone: advice.zone,
        concurrencyPolicy: "Forbid",
        startingDeadlineSeconds: lengthOf(window) * HOUR_S,
        jobTemplate: {
          spec: {
            template: {
              spec: {
                restartPolicy: "OnFailure",
                containers: [{ name: "job", image: "your-image", command: ["your-command"] }],
              },
            },
          },
        },
      },
    };
  });
  return {
    fileName: "busyhour-cronjobs.yaml",
    mediaType: "application/yaml",
    content: documents.map((document) => stringify(document, { lineWidth: 0 })).join("---\n"),
    losses: ["changes", "command"],
  };
}

function lengthOf({ from, to }: { from: string; to: string }): number {
  return (Number.parseInt(to, 10) - Number.parseInt(from, 10) + 24) % 24 || 24;
}

/** A name as Kubernetes takes it, within the 52 characters of a CronJob's. */
function toLabel(name: string): string {
  const label = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, "");
  return label === "" ? "model" : label;
}

const oneLine = (text: string) => text.replaceAll(/[\r\n]+/g, " ");
const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
const round = (share: number) => Math.round(share * 10_000) / 10_000;
