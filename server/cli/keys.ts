import { Argument, Command, InvalidArgumentError } from "commander";
import { createdKey, keyRecord, keysAnswer } from "../contract/access.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

export function keysCommand(terminal: Terminal): Command {
  const keys = new Command("keys").description("Make, list and revoke keys.");
  withServerFlags(keys.command("create"))
    .description("Make a key and print it: the only time it is shown.")
    .addArgument(new Argument("<kind>", "what it is for").choices(["ingest", "read", "admin"]))
    .option("--name <name>", "to tell keys apart", "made on the command line")
    .action(async (kind: string, flags: ServerFlags & { name: string }) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const made = createdKey.parse(
          await api.call("POST", `/api/keys${query}`, { kind, name: flags.name }),
        );
        terminal.say(`Key ${made.id} (${made.kind}, “${made.name}”). It is shown this once:`);
        terminal.stdout.write(`${made.key}\n`);
      });
    });
  withServerFlags(keys.command("list"))
    .description("List the keys of a project.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const { keys: rows } = keysAnswer.parse(await api.call("GET", `/api/keys${query}`));
        if (rows.length === 0) terminal.say("No keys yet: busyhour keys create ingest");
        for (const row of rows) {
          const state =
            row.revokedAt === null ? `last used ${row.lastUsedAt ?? "never"}` : `revoked ${row.revokedAt}`;
          terminal.stdout.write(`${row.id}\t${row.kind}\t${row.prefix}…\t${row.name}\t${state}\n`);
        }
      });
    });
  withServerFlags(keys.command("revoke"))
    .description("Revoke a key: it stops working at once.")
    .argument("<id>", "its number in `busyhour keys list`", parseKeyId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const row = keyRecord.parse(await api.call("DELETE", `/api/keys/${id}${query}`));
        terminal.say(`Key ${row.id} (${row.prefix}…, “${row.name}”) is revoked.`);
      });
    });
  return keys;
}

function parseKeyId(text: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new InvalidArgumentError("It is a number, the first in `busyhour keys list`.");
  return Number(text);
}
