import { Command } from "commander";
import { CommandError } from "./api-client.ts";
import { classifyCommand } from "./classify.ts";
import { createTerminal } from "./terminal.ts";

/**
 * Runs `busyhour classify` by itself: it needs none of what the other commands load, and so answers at once, as
 * a command in a pipe should.
 */
export async function classifyMain(argv: readonly string[], version: string): Promise<void> {
  const terminal = createTerminal(version);
  const program = new Command("busyhour").addCommand(classifyCommand(terminal));
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
