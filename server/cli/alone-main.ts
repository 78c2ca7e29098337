import { Command } from "commander";
import { CommandError } from "./api-client.ts";
import { batchCommand } from "./batch.ts";
import { classifyCommand } from "./classify.ts";
import { createTerminal } from "./terminal.ts";

/**
 * Runs the commands that need no server: without what the others load they answer at once, as a command in a pipe
 * should.
 */
export async function aloneMain(argv: readonly string[], version: string): Promise<void> {
  const terminal = createTerminal(version);
  const program = new Command("busyhour")
    .addCommand(classifyCommand(terminal))
    .addCommand(batchCommand(terminal));
  try {
    await program.parseAsync([...argv], { from: "user" });
  } catch (error) {
    const isPlanned = error instanceof CommandError;
    terminal.say(
      isPlanned ? error.message : `Failed: ${error instanceof Error ? error.stack : String(error)}`,
    );
    terminal.setExitCode(1);
  }
}
