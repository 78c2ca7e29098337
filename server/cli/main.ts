import { Command } from "commander";
import { z } from "zod";
import { DatabaseError } from "../../db/database-error.ts";
import { SettingsError } from "../env.ts";
import { alertsCommand } from "./alerts.ts";
import { CommandError } from "./api-client.ts";
import { batchCommand } from "./batch.ts";
import { channelsCommand } from "./channels.ts";
import { classifyCommand } from "./classify.ts";
import { demoCommand } from "./demo.ts";
import { diagnoseCommand } from "./diagnose.ts";
import { exportCommand } from "./export.ts";
import { heatmapCommand } from "./heatmap.ts";
import { importCommand } from "./import.ts";
import { openImportSink } from "./import-sink.ts";
import { jobsCommand } from "./jobs.ts";
import { keysCommand } from "./keys.ts";
import { invitationsCommand, membersCommand, sessionsCommand, usersCommand } from "./people.ts";
import { planCommand } from "./plan.ts";
import { auditCommand, projectsCommand } from "./projects.ts";
import { classificationRulesCommand, reclassifyCommand } from "./reclassify.ts";
import { reportCommand } from "./report.ts";
import { secretsCommand } from "./secrets.ts";
import { startCommand } from "./start.ts";
import { createTerminal, type Terminal } from "./terminal.ts";
import { migrateCommand, rebuildCommand, signInCommand } from "./upkeep.ts";
import { workCommand } from "./worker.ts";

/** Runs one command line. Planned failures are one message on stderr and exit code 1; anything else is a bug. */
export async function main(argv: readonly string[], version: string): Promise<void> {
  const terminal = createTerminal(version);
  try {
    await createProgram(terminal).parseAsync([...argv], { from: "user" });
  } catch (error) {
    terminal.say(describe(error, version));
    terminal.setExitCode(1);
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command("busyhour")
    .description("Learns from your own calls when each LLM model is full.")
    .version(terminal.version);
  program.addCommand(startCommand(terminal));
  program.addCommand(
    importCommand({
      openSink: (choice) => openImportSink(terminal, choice),
      stdin: terminal.stdin,
      stdout: terminal.stdout,
      stderr: terminal.stderr,
      now: Date.now,
      onInterrupt: terminal.onInterrupt,
      setExitCode: terminal.setExitCode,
    }),
  );
  program.addCommand(heatmapCommand(terminal));
  program.addCommand(diagnoseCommand(terminal));
  program.addCommand(reportCommand(terminal));
  program.addCommand(exportCommand(terminal));
  program.addCommand(alertsCommand(terminal));
  program.addCommand(jobsCommand(terminal));
  program.addCommand(workCommand(terminal));
  program.addCommand(keysCommand(terminal));
  program.addCommand(projectsCommand(terminal));
  program.addCommand(usersCommand(terminal));
  program.addCommand(membersCommand(terminal));
  program.addCommand(invitationsCommand(terminal));
  program.addCommand(sessionsCommand(terminal));
  program.addCommand(auditCommand(terminal));
  program.addCommand(channelsCommand(terminal));
  program.addCommand(planCommand(terminal));
  program.addCommand(classifyCommand(terminal));
  program.addCommand(batchCommand(terminal));
  program.addCommand(signInCommand(terminal));
  program.addCommand(demoCommand(terminal));
  program.addCommand(rebuildCommand(terminal));
  program.addCommand(reclassifyCommand(terminal));
  program.addCommand(classificationRulesCommand(terminal));
  program.addCommand(secretsCommand(terminal));
  program.addCommand(migrateCommand(terminal));
  return program;
}

function describe(error: unknown, version: string): string {
  if (error instanceof CommandError || error instanceof DatabaseError || error instanceof SettingsError) {
    return error.message;
  }
  // An answer that is none of ours, or of another version.
  if (error instanceof z.ZodError) {
    const [fault] = error.issues;
    return `The server's answer cannot be read${fault === undefined ? "" : ` (${fault.path.join(".") || "all of it"}: ${fault.message})`}. Is --url that of a Busyhour of version ${version}?`;
  }
  return error instanceof Error ? `Failed: ${error.stack ?? error.message}` : `Failed: ${String(error)}`;
}
