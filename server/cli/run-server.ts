import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import pino from "pino";
import { createSignInToken } from "../access/sessions.ts";
import { SERVER } from "../audit/note-change.ts";
import { createSample } from "../demo/sample.ts";
import { readSettings, type Settings } from "../env.ts";
import { assertFree } from "../http/listen.ts";
import { findProject, SAMPLE_PROJECT } from "../projects/projects.ts";
import { type RunningServer, startServer } from "../server.ts";
import { CommandError } from "./api-client.ts";
import { openData } from "./open-data.ts";
import { findRunningServer, removeRunFile, writeRunFile } from "./run-file.ts";
import { showSampleProgress } from "./sample-progress.ts";
import type { Terminal } from "./terminal.ts";

/** Runs the server until it is told to stop. */
export async function runServer(terminal: Terminal, { withSample }: { withSample: boolean }): Promise<void> {
  const settings = readSettings(terminal.environment);
  const log = pino({ level: settings.logLevel }, pino.destination({ dest: 2, sync: true }));
  const stopping = new AbortController();
  const stop = terminal.onInterrupt(() => stopping.abort());
  try {
    await assertPlaceFree(settings);
    const database = await openData(settings, terminal.say, stopping.signal);
    try {
      const server = await startServer({
        settings,
        database,
        version: terminal.version,
        webFolder: findWebFolder(),
        now: Date.now,
        log,
      });
      try {
        noteRunning(settings, server, terminal);
        if (withSample) await makeSampleOnce(server, terminal, stopping.signal);
        if (!stopping.signal.aborted) await sayWelcome(server, database.label, terminal, withSample);
        await untilAborted(stopping.signal);
        terminal.say("Stopping …");
      } finally {
        await server.close();
      }
    } finally {
      await database.close();
      removeRunFile(settings.dataDir, process.pid);
    }
    terminal.say("Stopped.");
  } catch (error) {
    if (!stopping.signal.aborted) throw error;
  } finally {
    stop();
  }
}

/** Before a database is made or opened. @throws SettingsError, CommandError */
async function assertPlaceFree({ port, host, dataDir }: Settings): Promise<void> {
  try {
    await assertFree({ port, host });
  } catch (error) {
    const running = await findRunningServer(dataDir);
    if (running === null || new URL(running.url).port !== String(port)) throw error;
    throw new CommandError(
      `Busyhour runs here already: ${running.url} (process ${running.pid}, data folder ${dataDir}).\n` +
        "npx busyhour sign-in makes a link to it. To start it anew, stop that one first.",
    );
  }
}

/** The server works without the file, only commands on this machine then need a key. */
function noteRunning(settings: Settings, server: RunningServer, terminal: Terminal): void {
  try {
    writeRunFile(settings.dataDir, { url: server.url, token: server.localToken, pid: process.pid });
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    terminal.say(`Commands on this machine will not find this server by themselves: ${reason}`);
  }
}

async function makeSampleOnce(
  { core, sampleDeps }: RunningServer,
  terminal: Terminal,
  signal: AbortSignal,
): Promise<void> {
  if ((await findProject(core.db, SAMPLE_PROJECT)) !== null) return;
  const shown = showSampleProgress(terminal.stderr, Date.now);
  await createSample(sampleDeps, Date.now(), { onProgress: shown.update, signal }).finally(shown.stop);
}

async function sayWelcome(
  server: RunningServer,
  databaseLabel: string,
  terminal: Terminal,
  withSample: boolean,
): Promise<void> {
  const made = await createSignInToken(server.core.db, { actor: SERVER, at: new Date(), requestId: null });
  const link = made === null ? "no owner may sign in" : `${server.publicUrl}/sign-in?token=${made.token}`;
  terminal.say(`
Busyhour ${terminal.version}
  Database  ${databaseLabel}
  Address   ${server.publicUrl}
  Sign in   ${link}
            (works once, within an hour; \`npx busyhour sign-in\` makes another)
${withSample ? "  Sample    project “Sample data”; `npx busyhour demo --remove` removes it\n" : ""}`);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener("abort", () => resolve(), { once: true }));
}

/** `dist/web`, seen from the bundle or from the sources. */
function findWebFolder(): string | null {
  const here = path.dirname(fileURLToPath(import.meta.url));
  const candidates = [path.join(here, "web"), path.join(here, "..", "..", "dist", "web")];
  return candidates.find((folder) => existsSync(path.join(folder, "index.html"))) ?? null;
}
