import { spawn } from "node:child_process";
import type { DatabaseUser } from "./database-user.ts";

export interface CommandResult {
  /** `null` when it could not be run at all or was ended by a signal. */
  exitCode: number | null;
  stdout: string;
  /** What it wrote to stderr, or why it could not be run. */
  stderr: string;
}

/** Environment of everything we start: nothing of ours leaks into it, and no `PG…` variable leaks in. */
export function commandEnv(): NodeJS.ProcessEnv {
  const { PATH, HOME, LD_LIBRARY_PATH } = process.env;
  return { PATH, HOME, LD_LIBRARY_PATH, LC_ALL: "C", TZ: "UTC" };
}

/** Spawn options that change the user, when there is one to change to. */
export function asUser(user: DatabaseUser): { uid: number; gid: number } | Record<string, never> {
  return user.switchTo ?? {};
}

/** Runs a program as the database's user and waits for it. Never rejects. */
export function runCommand(file: string, args: string[], user: DatabaseUser): Promise<CommandResult> {
  return new Promise((resolve) => {
    let stdout = "";
    let stderr = "";
    // cwd is "/" because the user may not be able to enter ours.
    const child = spawn(file, args, {
      ...asUser(user),
      cwd: "/",
      env: commandEnv(),
      stdio: ["ignore", "pipe", "pipe"],
    });
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.once("error", (error) => resolve({ exitCode: null, stdout, stderr: error.message }));
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
