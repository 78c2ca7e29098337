import { Argument, Command } from "commander";
import { createdKey, type KeyRecord, keyRecord, keysAnswer } from "../contract/access.ts";
import { parseId } from "./people.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

interface NewKeyFlags extends ServerFlags {
  readonly name: string;
  readonly scopes?: string;
  readonly expiresDays?: number;
  readonly eventsPerMinute?: number;
}

export function keysCommand(terminal: Terminal): Command {
  const keys = new Command("keys").description("Make, list, replace and revoke keys.");
  const show = (made: KeyRecord & { key: string }) => {
    terminal.say(`Key ${made.id} (${made.kind}, “${made.name}”). It is shown this once:`);
    terminal.stdout.write(`${made.key}\n`);
  };
  withServerFlags(keys.command("create"))
    .description("Make a key and print it: the only time it is shown.")
    .addArgument(new Argument("<kind>", "what it is for").choices(["ingest", "read", "admin"]))
    .option("--name <name>", "to tell keys apart", "made on the command line")
    .option("--scopes <scopes>", "less than its kind allows, with commas between")
    .option("--expires-days <number>", "refused after so many days", parseId)
    .option("--events-per-minute <number>", "take no more of it on each server", parseId)
    .action(async (kind: string, { name, scopes, expiresDays, eventsPerMinute, ...flags }: NewKeyFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const body = {
          kind,
          name,
          scopes: scopes?.split(",").map((scope) => scope.trim()),
          expiresInDays: expiresDays,
          eventsPerMinute,
        };
        show(createdKey.parse(await api.call("POST", `/api/keys${query}`, body)));
      });
    });
  withServerFlags(keys.command("list"))
    .description("List the keys of a project.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const { keys: rows } = keysAnswer.parse(await api.call("GET", `/api/keys${query}`));
        if (rows.length === 0) terminal.say("No keys yet: busyhour keys create ingest");
        for (const row of rows) {
          terminal.stdout.write(`${row.id}\t${row.kind}\t${row.prefix}…\t${row.name}\t${describe(row)}\n`);
        }
      });
    });
  withServerFlags(keys.command("rotate"))
    .description("Make a key in the place of another, which goes on working for a while.")
    .argument("<id>", "its number in `busyhour keys list`", parseId)
    .option("--overlap-hours <number>", "how long the old one goes on working, 0–720", parseId)
    .action(async (id: number, { overlapHours, ...flags }: ServerFlags & { overlapHours?: number }) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const path = `/api/keys/${id}/rotations${query}`;
        show(createdKey.parse(await api.call("POST", path, { overlapHours })));
        terminal.say(`Key ${id} goes on working for ${overlapHours ?? 24} hours.`);
      });
    });
  withServerFlags(keys.command("revoke"))
    .description("Revoke a key: it stops working at once.")
    .argument("<id>", "its number in `busyhour keys list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const row = keyRecord.parse(await api.call("DELETE", `/api/keys/${id}${query}`));
        terminal.say(`Key ${row.id} (${row.prefix}…, “${row.name}”) is revoked.`);
      });
    });
  return keys;
}

/** What there is to know beside its name: what narrows it, and whether it works. */
function describe({ scopes, eventsPerMinute, expiresAt, replacedBy, lastUsedAt, revokedAt }: KeyRecord) {
  return [
    ...(scopes === null ? [] : [scopes.join(",")]),
    ...(eventsPerMinute === null ? [] : [`${eventsPerMinute} events/min`]),
    ...(replacedBy === null ? [] : [`replaced by ${replacedBy}`]),
    ...(expiresAt === null ? [] : [`until ${expiresAt}`]),
    revokedAt === null ? `last used ${lastUsedAt ?? "never"}` : `revoked ${revokedAt}`,
  ].join(" · ");
}
