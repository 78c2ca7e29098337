import { Command } from "commander";
import { sampleAnswer, sampleState } from "../contract/access.ts";
import { readSettings } from "../env.ts";
import type { ApiClient } from "./api-client.ts";
import { findRunningServer } from "./run-file.ts";
import { type SampleProgressShown, showSampleProgress } from "./sample-progress.ts";
import type { Terminal } from "./terminal.ts";
import { withWorkPlace } from "./work.ts";

export function demoCommand(terminal: Terminal): Command {
  return new Command("demo")
    .description("Show sample data: a project with eight weeks of made traffic that goes on.")
    .option("--remove", "remove the sample project and all of its data")
    .action(async ({ remove }: { remove?: boolean }) => {
      if (remove === true) {
        await withWorkPlace(terminal, {}, ({ api }) => api.call("DELETE", "/api/sample"));
        terminal.say("The sample project is gone.");
        return;
      }
      const running = await findRunningServer(readSettings(terminal.environment).dataDir);
      if (running === null) {
        const { runServer } = await import("./run-server.ts");
        return runServer(terminal, { withSample: true });
      }
      await withWorkPlace(terminal, {}, ({ api }) => makeSample(terminal, api));
    });
}

/** Has the running server make the sample, and shows how far it is. */
async function makeSample(terminal: Terminal, api: ApiClient): Promise<void> {
  const shown = showSampleProgress(terminal.stderr, Date.now);
  const watching = watch(api, shown);
  try {
    const { attempts } = sampleAnswer.parse(await api.call("POST", "/api/sample"));
    shown.update({ attempts, share: 1 });
    terminal.say(`Done: ${api.url}/?project=sample`);
  } finally {
    clearInterval(watching);
    shown.stop();
  }
}

const LOOK_EVERY_MS = 500;

/** A look that fails, or comes back late, is no reason to stop: what counts is the answer to the making itself. */
function watch(api: ApiClient, shown: SampleProgressShown): NodeJS.Timeout {
  return setInterval(async () => {
    const state = sampleState.safeParse(await api.call("GET", "/api/sample").catch(() => null)).data;
    if (state?.attempts != null && state.share !== null) {
      shown.update({ attempts: state.attempts, share: state.share });
    }
  }, LOOK_EVERY_MS);
}
