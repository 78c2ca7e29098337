import { Command } from "commander";
import { projectRecord, projectsAnswer } from "../contract/access.ts";
import { auditAnswer } from "../contract/audit.ts";
import { parseId } from "./people.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

export function projectsCommand(terminal: Terminal): Command {
  const projects = new Command("projects").description("Make, list and remove projects.");
  withServerFlags(projects.command("list"))
    .description("List the projects.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }) => {
        for (const row of projectsAnswer.parse(await api.call("GET", "/api/projects")).projects) {
          const calls = row.hasCalls ? "has calls" : "no calls yet";
          terminal.stdout.write(`${row.slug}\t${row.name}\t${row.timeZone}\t${calls}\n`);
        }
      });
    });
  withServerFlags(projects.command("create"))
    .description("Make a project, with keys, people and data of its own.")
    .argument("<slug>", "its name in addresses and flags, of a–z, 0–9 and dashes")
    .option("--name <name>", "its name on the pages; the slug when left out")
    .option("--zone <zone>", "IANA zone in which its hours are counted; UTC when left out")
    .action(
      async (slug: string, { name, zone, ...flags }: ServerFlags & { name?: string; zone?: string }) => {
        await withWorkPlace(terminal, flags, async ({ api }) => {
          const body = { slug, name: name ?? slug, timeZone: zone };
          const made = projectRecord.parse(await api.call("POST", "/api/projects", body));
          terminal.say(`Project ${made.slug} is there: busyhour keys create ingest --project ${made.slug}`);
        });
      },
    );
  withServerFlags(projects.command("remove"))
    .description("Remove a project with all of its data and keys.")
    .argument("<slug>", "its slug")
    .action(async (slug: string, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }) =>
        api.call("DELETE", `/api/projects/${encodeURIComponent(slug)}`),
      );
      terminal.say(`Project ${slug} is gone with all of its data.`);
    });
  return projects;
}

interface AuditFlags extends ServerFlags {
  readonly all?: boolean;
  readonly from?: string;
  readonly to?: string;
  readonly search?: string;
  readonly action?: string;
  readonly limit?: number;
  readonly json?: boolean;
}

export function auditCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("audit"))
    .description("Show what was changed in a project, newest first.")
    .option("--all", "of all projects and of the installation, also what is gone")
    .option("--from <time>", "only from this time on, ISO 8601 with an offset")
    .option("--to <time>", "only before this time")
    .option("--search <text>", "only with this in the name of who did it, or of what it was done to")
    .option("--action <action>", "only this, like key.created")
    .option("--limit <number>", "so many at the most; 100 when left out, up to 500", parseId)
    .option("--json", "one JSON document a line")
    .action(async ({ all, from, to, search, action, limit, json, ...flags }: AuditFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const params = new URLSearchParams(all === true ? "" : query);
        const filter = { from, to, q: search, action, limit: limit?.toString() };
        for (const [name, value] of Object.entries(filter)) if (value !== undefined) params.set(name, value);
        const path = all === true ? "/api/installation/audit" : "/api/audit";
        const { entries } = auditAnswer.parse(await api.call("GET", `${path}?${params}`));
        if (entries.length === 0) terminal.say("Nothing was changed.");
        for (const entry of entries) {
          const change = `${JSON.stringify(entry.before)} → ${JSON.stringify(entry.after)}`;
          const place = all === true ? `\t${entry.project ?? "–"}` : "";
          terminal.stdout.write(
            json === true
              ? `${JSON.stringify(entry)}\n`
              : `${entry.at}${place}\t${entry.actor.name}\t${entry.action}\t${entry.subject.name}\t${change}\n`,
          );
        }
      });
    });
}
