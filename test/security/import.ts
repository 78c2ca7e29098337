import fs from "node:fs";
import path from "node:path";
import { Readable } from "node:stream";
import { importCommand } from "../../server/cli/import.ts";
import { createHttpSink } from "../../server/import/http-sink.ts";

/** All that an import leaves for people: both streams and the file of rejects. */
export async function importFile(
  { url, key, nowMs }: { url: string; key: string; nowMs: number },
  folder: string,
  name: string,
  text: string,
): Promise<string> {
  const file = path.join(folder, name);
  const rejects = path.join(folder, "rejects.ndjson");
  fs.rmSync(rejects, { force: true });
  fs.writeFileSync(file, text);
  const written: string[] = [];
  const take = { write: (part: string) => written.push(part) };
  const command = importCommand({
    openSink: async ({ say, signal }) =>
      Object.assign(createHttpSink({ url, key, say, signal }), { close: async () => {} }),
    stdin: Readable.from([]),
    stdout: take,
    stderr: take,
    now: () => nowMs,
    onInterrupt: () => () => {},
    setExitCode() {},
  });
  await command.parseAsync([file, "--url", url, "--key", key, "--rejects", rejects], { from: "user" });
  return written.join("") + (fs.existsSync(rejects) ? fs.readFileSync(rejects, "utf8") : "");
}
