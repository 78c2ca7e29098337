import { Command } from "commander";
import { rebuildAnswer, signInLinkAnswer } from "../contract/access.ts";
import { readSettings } from "../env.ts";
import { CommandError } from "./api-client.ts";
import { findRunningServer } from "./run-file.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

export function signInCommand(terminal: Terminal): Command {
  return new Command("sign-in")
    .description("Make a link that signs in to the running server once.")
    .action(async () => {
      const running = await findRunningServer(readSettings(terminal.environment).dataDir);
      if (running === null)
        throw new CommandError("No server runs on this data folder: busyhour start prints a link.");
      await withWorkPlace(terminal, {}, async ({ api }) => {
        const { url } = signInLinkAnswer.parse(await api.call("POST", "/api/sign-in-links"));
        terminal.stdout.write(`${url}\n`);
      });
    });
}

export function migrateCommand(terminal: Terminal): Command {
  return new Command("migrate")
    .description("Bring the database's schema up to date. The server does it by itself when it starts.")
    .action(async () => {
      const settings = readSettings(terminal.environment);
      if ((await findRunningServer(settings.dataDir)) !== null) {
        terminal.say("The server that runs here has migrated already.");
        return;
      }
      const { migrate } = await import("../../db/migrate.ts");
      const { openData } = await import("./open-data.ts");
      const database = await openData(settings, terminal.say);
      try {
        await migrate(database.target);
        terminal.say(`Up to date: ${database.label}`);
      } finally {
        await database.close();
      }
    });
}

export function rebuildCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("rebuild"))
    .description("Recompute the rollups, and so every figure, from raw attempts.")
    .option("--from <time>", "only from this time on, ISO 8601 with an offset")
    .option("--to <time>", "only before this time")
    .action(async ({ from, to, ...flags }: ServerFlags & { from?: string; to?: string }) => {
      await withWorkPlace(terminal, flags, async ({ api, own }, query) => {
        const body = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
        const { days, sealedDays } = rebuildAnswer.parse(
          await api.call("POST", `/api/rebuilds${query}`, body),
        );
        if (sealedDays > 0) {
          terminal.say(
            `${sealedDays} days are left as they are: their raw attempts are gone (BUSYHOUR_RAW_RETENTION_DAYS).`,
          );
        }
        if (own === null) {
          terminal.say(
            `${days} ${days === 1 ? "day" : "days"} queued; the server recomputes them in the background.`,
          );
          return;
        }
        terminal.say(`Recomputing ${days} ${days === 1 ? "day" : "days"} …`);
        const minutes = await own.addUp();
        terminal.say(
          `Done: ${minutes.toLocaleString("en")} ${minutes === 1 ? "minute" : "minutes"} recomputed.`,
        );
      });
    });
}
