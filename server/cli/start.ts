import { Command } from "commander";
import type { Terminal } from "./terminal.ts";

export function startCommand(terminal: Terminal): Command {
  return new Command("start").description("Run the server: API, pages and jobs.").action(async () => {
    const { runServer } = await import("./run-server.ts");
    await runServer(terminal, { withSample: false });
  });
}
