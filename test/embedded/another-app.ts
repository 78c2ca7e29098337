/** Run by the tests as a process of its own: starts the database, says how it went, and waits to be ended. */
import { DatabaseError } from "../../db/database-error.ts";
import { startEmbeddedPostgres } from "../../db/embedded/launch.ts";

function tell(value: object): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

const dataDir = process.argv[2] ?? "";
try {
  const server = await startEmbeddedPostgres({ dataDir, say: () => {} });
  tell({ target: server.target, postmasterPid: server.pid() });
  process.stdin.resume().once("end", async () => {
    await server.stop();
    process.exit(0);
  });
} catch (error) {
  if (!(error instanceof DatabaseError)) throw error;
  tell({ failed: error.code, message: error.message });
}
