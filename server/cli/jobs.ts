import { Command, InvalidArgumentError, Option } from "commander";
import {
  JOB_STATES,
  type Job,
  type JobWithLife,
  jobsAnswer,
  jobWithLife,
  type WaitReason,
} from "../contract/job.ts";
import { cancelledJobs, retriedJobs } from "../contract/job-submission.ts";
import type { ApiClient } from "./api-client.ts";
import { CommandError } from "./api-client.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

interface ListFlags extends ServerFlags {
  readonly queue?: string;
  readonly state?: string;
  readonly submitter?: string;
  readonly limit: number;
  readonly json?: true;
}

interface ChoiceFlags extends ServerFlags {
  readonly queue?: string;
  readonly submitter?: string;
}

/** `busyhour jobs`: work that can wait, as whoever looks after it sees it. */
export function jobsCommand(terminal: Terminal): Command {
  const jobs = new Command("jobs").description("Look up, cancel and retry work that can wait.");
  addList(jobs, terminal);
  addShow(jobs, terminal);
  addChange(jobs, terminal, {
    name: "cancel",
    description: "Cancel jobs that wait; workers of others are told.",
    async change(api, query, choice) {
      const { cancelled, asked, untouched, isMore } = cancelledJobs.parse(
        await api.call("POST", `/v1/jobs/cancel${query}`, choice),
      );
      return {
        line: `Cancelled ${cancelled}, asked the workers of ${asked}${passedOver(untouched)}.`,
        isMore,
      };
    },
  });
  addChange(jobs, terminal, {
    name: "retry",
    description: "Queue dead jobs again, with all of their attempts.",
    async change(api, query, choice) {
      const { retried, untouched, isMore } = retriedJobs.parse(
        await api.call("POST", `/v1/jobs/retry${query}`, choice),
      );
      return { line: `Queued ${retried} again${passedOver(untouched)}.`, isMore };
    },
  });
  return jobs;
}

const passedOver = (count: number) => (count === 0 ? "" : `, passed over ${count}`);

function addList(jobs: Command, terminal: Terminal): void {
  withServerFlags(jobs.command("list"))
    .description("List jobs, newest first.")
    .option("--queue <name>", "of this queue alone")
    .addOption(
      new Option("--state <state>", "in this state alone").choices([...JOB_STATES, "live", "finished"]),
    )
    .option("--submitter <name>", "of this submitter alone")
    .option("--limit <number>", "so many at the most", parseLimit, 50)
    .option("--json", "one JSON document a line")
    .action(async ({ queue, state, submitter, limit, json, ...flags }: ListFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const params = new URLSearchParams(query);
        const wanted = { queue, state, submitter, limit: String(limit) };
        for (const [name, value] of Object.entries(wanted)) if (value !== undefined) params.set(name, value);
        const answer = jobsAnswer.parse(await api.call("GET", `/v1/jobs?${params}`));
        if (answer.jobs.length === 0) terminal.say("No such jobs.");
        for (const job of answer.jobs)
          terminal.stdout.write(`${json === true ? JSON.stringify(job) : formatJob(job)}\n`);
      });
    });
}

function addShow(jobs: Command, terminal: Terminal): void {
  withServerFlags(jobs.command("show"))
    .description("Show a job and its life.")
    .argument("<id>", "its number", parseJobId)
    .option("--json", "one JSON document")
    .action(async (id: number, { json, ...flags }: ServerFlags & { json?: true }) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const job = jobWithLife.parse(await api.call("GET", `/v1/jobs/${id}${query}`));
        terminal.stdout.write(json === true ? `${JSON.stringify(job)}\n` : formatLife(job));
      });
    });
}

interface Change {
  readonly name: "cancel" | "retry";
  readonly description: string;
  change(
    api: ApiClient,
    query: string,
    choice: Readonly<Record<string, unknown>>,
  ): Promise<{ line: string; isMore: boolean }>;
}

function addChange(jobs: Command, terminal: Terminal, { name, description, change }: Change): void {
  withServerFlags(jobs.command(name))
    .description(description)
    .argument("[ids...]", "their numbers", (id: string, all: number[] = []) => [...all, parseJobId(id)])
    .option("--queue <name>", "all of this queue")
    .option("--submitter <name>", "all of this submitter")
    .action(async (ids: number[] | undefined, { queue, submitter, ...flags }: ChoiceFlags) => {
      const numbers = ids ?? [];
      if (numbers.length === 0 && queue === undefined && submitter === undefined)
        throw new CommandError("Name jobs by their numbers, or give --queue or --submitter.");
      const choice = { ...(numbers.length === 0 ? {} : { ids: numbers }), queue, submitter };
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        for (let isMore = true; isMore; ) {
          const done = await change(api, query, choice);
          terminal.say(done.line);
          isMore = done.isMore;
        }
      });
    });
}

function parseJobId(text: string): number {
  const id = Number(text);
  if (!/^\d{1,16}$/.test(text) || id < 1 || !Number.isSafeInteger(id))
    throw new InvalidArgumentError("It must be a job's number, as the list has it.");
  return id;
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > 500)
    throw new InvalidArgumentError("It must be between 1 and 500.");
  return limit;
}

const WHY: Readonly<Record<WaitReason, string>> = {
  ready: "waits for a worker",
  scheduled: "waits for its time",
  busy: "found no room",
  failed: "waits for its next attempt",
  due: "is ready: its latest time comes",
  notJudged: "its target is not judged yet",
  beforeWindow: "waits for a good window",
  inWindow: "is ready: a good window is open",
  episode: "is held: its target is short of room",
  short: "is held: too many calls found no room in the last hour",
  unexpectedCalm: "is let go little by little: it is calm",
  noBetterHour: "is ready: no hour is better",
  nothingLearnt: "is ready: nothing is known of its hours yet",
  noPattern: "is ready: its busy hours do not repeat",
  noTarget: "is ready: no target of its chain is known",
  calm: "is ready while it is calm: the next window is too late",
  mustDrain: "is ready: else the latest times would be missed",
};

/** Number, state, queue, submitter, key or reference, and why it waits or how it ended. */
export function formatJob(job: Job): string {
  return [
    job.id,
    job.state,
    job.queue,
    job.submitter,
    job.key ?? job.reference ?? "",
    describeState(job),
  ].join("\t");
}

function describeState({ state, wait, worker, leasedUntil, finishedAt, error }: Job): string {
  if (wait !== null) return `${WHY[wait.reason]}${wait.until === null ? "" : ` until ${wait.until}`}`;
  if (state === "leased") return `with ${worker} until ${leasedUntil}`;
  return `${finishedAt}${state === "dead" && error !== null ? ` ${error}` : ""}`;
}

/** The same on a line, and under it what happened to it, oldest first. */
export function formatLife({ life, ...job }: JobWithLife): string {
  const lines = life.map(({ at, is, reason, until, worker, detail }) =>
    [
      at,
      is,
      ...(worker === null ? [] : [`by ${worker}`]),
      ...(reason === null ? [] : [WHY[reason]]),
      ...(until === null ? [] : [`until ${until}`]),
      ...(detail === null ? [] : [detail]),
    ].join("  "),
  );
  return `${[formatJob(job), ...lines.map((line) => `  ${line}`)].join("\n")}\n`;
}
