import { Command } from "commander";
import { secretRotation } from "../contract/access.ts";
import type { Terminal } from "./terminal.ts";
import { withWorkPlace } from "./work.ts";

export function secretsCommand(terminal: Terminal): Command {
  const secrets = new Command("secrets").description("The secrets that are encrypted at rest.");
  secrets
    .command("rotate")
    .description("Encrypt all secrets anew, with a new key.")
    .action(async () => {
      await withWorkPlace(terminal, {}, async ({ api }) => {
        const { rotated, unreadable } = secretRotation.parse(
          await api.call("POST", "/api/secret-rotations", undefined),
        );
        terminal.say(`${rotated} secrets were encrypted anew.`);
        if (unreadable > 0) {
          terminal.say(
            `${unreadable} could not be read: their key is neither in BUSYHOUR_SECRET nor in the key file.`,
          );
          terminal.setExitCode(1);
        }
      });
    });
  return secrets;
}
