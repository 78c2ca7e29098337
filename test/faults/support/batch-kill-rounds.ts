import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readResults } from "@busyhour/sdk/files";
import { makeBatchCommand } from "./batch-command.ts";
import { startBatchProvider } from "./batch-provider.ts";

/** What a kill left behind. */
export interface BatchKillRound {
  readonly round: number;
  /** How often it asked before it was killed. */
  readonly requests: number;
  readonly finished: number;
  /** Items that were asked for before the kill and whose results are not there. */
  readonly inFlight: number;
  /** Whether the last line of the output broke off. */
  readonly isTorn: boolean;
}

export interface BatchKillReport {
  readonly rounds: readonly BatchKillRound[];
  readonly items: number;
  readonly concurrency: number;
  /** Items that the output has not exactly once, with the right answer. */
  readonly wrong: number;
  /** Items that were asked for more often than once and once more for each kill that found them under way. */
  readonly repeatedTooOften: number;
  readonly calls: number;
  /** Exit code of the run that nobody killed. */
  readonly code: number | null;
}

const CONCURRENCY = 8;
const ITEMS_PER_ROUND = 60;
/** A round ends at a random moment after so many requests at most: a slow machine gets as far as a fast one. */
const MAX_REQUESTS = 80;
const MAX_MORE_MS = 40;
const MAX_EARLY_MS = 600;
/** Some are killed while they read, repair and lock. */
const EARLY_SHARE = 0.15;

/** Kills a batch over and over, at random instants, lets it go on each time, and at last to its end; then counts. */
export async function runBatchKillRounds(
  count: number,
  onRound: (round: BatchKillRound) => void = () => {},
): Promise<BatchKillReport> {
  const command = await makeBatchCommand();
  const provider = await startBatchProvider({
    latencyMs: () => 5 + Math.random() * 40,
    isFull: (prompt, time) => time === 1 && prompt.endsWith("7"),
  });
  try {
    const prompts = Array.from({ length: (count + 1) * ITEMS_PER_ROUND }, (_, i) => `prompt ${i}`);
    const [input, output] = ["prompts.txt", "answers.ndjson"].map((name) =>
      path.join(command.folder, name),
    ) as [string, string];
    fs.writeFileSync(input, `${prompts.join("\n")}\n`);
    const args = ["--input", input, "--output", output, "--url", provider.url, "--model", "m", "--resume"];
    const start = () => command.start([...args, "--concurrency", String(CONCURRENCY)]);

    const rounds: BatchKillRound[] = [];
    const allowed = new Map<string, number>();
    for (let round = 1; round <= count; round++) {
      const isEarly = Math.random() < EARLY_SHARE;
      const before = provider.requests;
      const callsBefore = new Map(provider.calls);
      const asked = provider.asked(1 + Math.floor(Math.random() * MAX_REQUESTS));
      const process = start();
      if (isEarly) await sleep(Math.random() * MAX_EARLY_MS);
      else {
        await Promise.race([asked, process.ended]);
        await sleep(Math.random() * MAX_MORE_MS);
      }
      process.child.kill("SIGKILL");
      await process.ended;
      await provider.idle();
      const text = fs.existsSync(output) ? fs.readFileSync(output, "utf8") : "";
      const finished = new Set(
        text === "" ? [] : (await readResults(output)).map(({ index }) => prompts[index]),
      );
      const called = [...provider.calls].filter(([prompt, calls]) => calls > (callsBefore.get(prompt) ?? 0));
      const inFlight = called.map(([prompt]) => prompt).filter((prompt) => !finished.has(prompt));
      for (const prompt of inFlight) allowed.set(prompt, (allowed.get(prompt) ?? 0) + 1);
      const result = {
        round,
        requests: provider.requests - before,
        finished: finished.size,
        inFlight: inFlight.length,
        isTorn: text !== "" && !text.endsWith("\n"),
      };
      rounds.push(result);
      onRound(result);
    }
    const { code } = await start().ended;
    const results = await readResults<{ text: string }>(output);
    const answers = new Map(results.map(({ index, value }) => [index, value?.text]));
    return {
      rounds,
      items: prompts.length,
      concurrency: CONCURRENCY,
      wrong:
        prompts.filter((prompt, index) => answers.get(index) !== `answer to ${prompt}`).length +
        (results.length - answers.size),
      repeatedTooOften: [...provider.calls].filter(
        ([prompt, calls]) => calls > 1 + (allowed.get(prompt) ?? 0),
      ).length,
      calls: [...provider.calls.values()].reduce((sum, calls) => sum + calls, 0),
      code,
    };
  } finally {
    command.remove();
    await provider.close();
  }
}
