import fs from "node:fs";
import path from "node:path";
import { z } from "zod";

/** How commands on this machine find the server that runs on a data folder. */
export interface RunFile {
  readonly url: string;
  readonly token: string;
  readonly pid: number;
}

const schema = z.object({ url: z.url(), token: z.string().min(1), pid: z.int() });

function fileOf(dataDir: string): string {
  return path.join(dataDir, "server.json");
}

/** Readable by its owner only: the token in it opens everything. */
export function writeRunFile(dataDir: string, content: RunFile): void {
  fs.mkdirSync(dataDir, { recursive: true });
  const temporary = `${fileOf(dataDir)}.${content.pid}`;
  fs.writeFileSync(temporary, JSON.stringify(content), { mode: 0o600 });
  fs.renameSync(temporary, fileOf(dataDir));
}

/** Removes the file if it is still this process' own. */
export function removeRunFile(dataDir: string, pid: number): void {
  if (readRunFile(dataDir)?.pid === pid) fs.rmSync(fileOf(dataDir), { force: true });
}

export function readRunFile(dataDir: string): RunFile | null {
  try {
    return schema.parse(JSON.parse(fs.readFileSync(fileOf(dataDir), "utf8")));
  } catch {
    return null;
  }
}

/** The server that answers on this data folder now, or `null`. */
export async function findRunningServer(dataDir: string): Promise<RunFile | null> {
  const file = readRunFile(dataDir);
  if (file === null) return null;
  try {
    const response = await fetch(`${file.url}/api/me`, {
      headers: { authorization: `Bearer ${file.token}` },
      signal: AbortSignal.timeout(5_000),
    });
    // A database that is away answers 503; a stranger on the port, or a server of another start, 401 or 404.
    return response.ok || response.status === 503 ? file : null;
  } catch {
    return null;
  }
}
