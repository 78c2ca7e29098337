import { Command, InvalidArgumentError, Option } from "commander";
import {
  type PlanChange,
  type PlanDocument,
  type PlanVersion,
  planAnswer,
  planDiff,
  plansAnswer,
  planVersion,
} from "../contract/plan.ts";
import { replayAnswer } from "../contract/replay.ts";
import { routersAnswer } from "../contract/router-instance.ts";
import { diffPlans } from "../plans/diff-plans.ts";
import { formatChange } from "../plans/format-change.ts";
import { formatReplay } from "../plans/format-replay.ts";
import type { ApiClient } from "./api-client.ts";
import { parseId } from "./people.ts";
import { readPlanFile } from "./plan-file.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

interface PublishFlags extends ServerFlags {
  readonly reason: string;
  readonly basedOn?: number;
}

const reasonOption = () =>
  new Option("--reason <text>", "why; it is kept with the version").makeOptionMandatory();

export function planCommand(terminal: Terminal): Command {
  const plan = new Command("plan").description("The plan that routers go by: publish, look back, roll back.");
  withServerFlags(plan.command("list"))
    .description("List the versions, newest first.")
    .option("--limit <number>", "so many at the most; 100 when left out, up to 500", parseId)
    .action(async ({ limit, ...flags }: ServerFlags & { limit?: number }) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const path = withQuery("/api/plans", query, { limit });
        const { plans } = plansAnswer.parse(await api.call("GET", path));
        if (plans.length === 0) terminal.say("There is no plan yet: routers go by the chain in their code.");
        for (const one of plans) terminal.stdout.write(`${describeVersion(one)}\n`);
      });
    });
  withServerFlags(plan.command("show"))
    .description("Print a version as JSON; the published one when none is named.")
    .argument("[version]", "its number", parseId)
    .action(async (version: number | undefined, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const found = await findPlan(api, query, version);
        if (found === null) terminal.say("There is no plan yet: routers go by the chain in their code.");
        else terminal.stdout.write(`${JSON.stringify(found.document, null, 2)}\n`);
      });
    });
  addDiff(plan, terminal);
  addReplay(plan, terminal);
  addPublish(plan, terminal);
  addRollback(plan, terminal);
  addRouters(plan, terminal);
  return plan;
}

function addDiff(plan: Command, terminal: Terminal): void {
  withServerFlags(plan.command("diff"))
    .description("Print what changes from one version to another, or from the published one to a file.")
    .argument("<what>", "number of a version, or a file")
    .argument("[base]", "the version to start from; the published one when left out", parseBase)
    .action(async (what: string, base: number | undefined, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const changes = /^\d+$/.test(what)
          ? await diffVersions(api, query, Number(what), base)
          : await diffFile(api, query, await readPlanFile(what, terminal.stdin), base);
        if (changes.length === 0) terminal.say("Nothing changes.");
        for (const change of changes) terminal.stdout.write(`${formatChange(change)}\n`);
      });
    });
}

function addReplay(plan: Command, terminal: Terminal): void {
  withServerFlags(plan.command("replay"))
    .description("Estimate what a file would have made of the last seven days, beside the published plan.")
    .argument("<file>", "JSON file; - for standard input")
    .action(async (file: string, flags: ServerFlags) => {
      const document = await readPlanFile(file, terminal.stdin);
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const answer = replayAnswer.parse(await api.call("POST", `/api/plans/replay${query}`, { document }));
        for (const chain of answer.chains) terminal.stdout.write(`${formatReplay(chain)}\n`);
        terminal.say("An estimate; what it assumes is in docs/plans.md#replay.");
      });
    });
}

function addPublish(plan: Command, terminal: Terminal): void {
  withServerFlags(plan.command("publish"))
    .description("Publish a file, or a draft by its number. Routers take it up within seconds.")
    .argument("<what>", "JSON file, - for standard input; or number of a draft")
    .addOption(reasonOption())
    .option(
      "--based-on <version>",
      "the published version that this was made from; else that of the file",
      parseBase,
    )
    .action(async (what: string, { reason, basedOn, ...flags }: PublishFlags) => {
      const document = /^\d+$/.test(what) ? null : await readPlanFile(what, terminal.stdin);
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const seen = basedOn ?? document?.version ?? (await findPlan(api, query))?.version ?? 0;
        const body = {
          ...(document === null ? { version: Number(what) } : { document }),
          basedOn: seen,
          reason,
        };
        const made = planVersion.parse(await api.call("POST", `/api/plans/publish${query}`, body));
        terminal.say(`Version ${made.version} is published. Who runs it: busyhour plan routers`);
        terminal.stdout.write(`${made.version}\n`);
      });
    });
}

function addRollback(plan: Command, terminal: Terminal): void {
  withServerFlags(plan.command("rollback"))
    .description("Publish an earlier version again, as a new one.")
    .argument("<version>", "its number in `busyhour plan list`", parseId)
    .addOption(reasonOption())
    .action(async (version: number, { reason, ...flags }: PublishFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const basedOn = (await findPlan(api, query))?.version ?? 0;
        const body = { version, basedOn, reason };
        const made = planVersion.parse(await api.call("POST", `/api/plans/rollback${query}`, body));
        terminal.say(`Version ${version} is published again, as version ${made.version}.`);
        terminal.stdout.write(`${made.version}\n`);
      });
    });
}

function addRouters(plan: Command, terminal: Terminal): void {
  withServerFlags(plan.command("routers"))
    .description("List running routers with the version that each has taken up.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const { routers } = routersAnswer.parse(await api.call("GET", `/api/routers${query}`));
        if (routers.length === 0) terminal.say("No router was heard of in the last 7 days.");
        for (const { instance, chain, source, planVersion: runs, state, lastSeenAt } of routers) {
          const version = runs === null ? "code" : `version ${runs}`;
          const row = [instance, source ?? "–", chain, version, state, `last seen ${lastSeenAt}`];
          terminal.stdout.write(`${row.join("\t")}\n`);
        }
      });
    });
}

/** A version's number, or 0 for the time before the first. */
function parseBase(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It is the number of a version; 0 is before the first.");
}

function describeVersion({
  version,
  state,
  publisher,
  author,
  publishedAt,
  createdAt,
  reason,
}: PlanVersion): string {
  const who = (publisher ?? author).name;
  return [version, state, publishedAt ?? createdAt, who, reason ?? "–"].join("\t");
}

function withQuery(path: string, query: string, more: Readonly<Record<string, number | undefined>>): string {
  const params = new URLSearchParams(query);
  for (const [name, value] of Object.entries(more)) if (value !== undefined) params.set(name, String(value));
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** @returns `null` when nothing was published yet */
async function findPlan(api: ApiClient, query: string, version?: number) {
  const path = withQuery("/api/plans/version", query, { version });
  return planAnswer.parse(await api.call("GET", path)).plan;
}

async function diffVersions(
  api: ApiClient,
  query: string,
  version: number,
  base: number | undefined,
): Promise<PlanChange[]> {
  return planDiff.parse(await api.call("GET", withQuery("/api/plans/diff", query, { version, base })))
    .changes;
}

async function diffFile(
  api: ApiClient,
  query: string,
  document: PlanDocument,
  base: number | undefined,
): Promise<PlanChange[]> {
  const found = base === 0 ? null : await findPlan(api, query, base);
  return diffPlans(found?.document ?? { timeZone: document.timeZone, chains: {} }, document);
}
