import { readFileSync } from "node:fs";
import { Command } from "commander";
import { classificationRules, reclassifyAnswer } from "../contract/classification.ts";
import { CommandError } from "./api-client.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

type ReclassifyFlags = ServerFlags & { from?: string; to?: string; dryRun?: boolean };

export function reclassifyCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("reclassify"))
    .description("Name stored failures anew by today's rules, where their sender did not name them.")
    .option("--from <time>", "only from this time on, ISO 8601 with an offset")
    .option("--to <time>", "only before this time")
    .option("--dry-run", "count what would change, and change nothing")
    .action(async ({ from, to, dryRun, ...flags }: ReclassifyFlags) => {
      await withWorkPlace(terminal, flags, async ({ api, own }, query) => {
        const changes = new Map<string, number>();
        let examined = 0;
        let cursor: string | null = null;
        do {
          const answer = reclassifyAnswer.parse(
            await api.call("POST", `/api/reclassifications${query}`, {
              ...(from === undefined ? {} : { from }),
              ...(to === undefined ? {} : { to }),
              ...(dryRun === true ? { dryRun } : {}),
              ...(cursor === null ? {} : { cursor }),
            }),
          );
          examined += answer.examined;
          for (const change of answer.changes) {
            const name = `${change.from} → ${change.to}`;
            changes.set(name, (changes.get(name) ?? 0) + change.attempts);
          }
          cursor = answer.next;
          if (cursor !== null)
            terminal.say(`${examined.toLocaleString("en")} attempts, up to ${answer.reached} …`);
        } while (cursor !== null);
        for (const [name, attempts] of [...changes].sort(([, a], [, b]) => b - a)) {
          terminal.stdout.write(`${attempts}\t${name}\n`);
        }
        const changed = [...changes.values()].reduce((sum, attempts) => sum + attempts, 0);
        terminal.say(
          `${examined.toLocaleString("en")} attempts looked at, ${changed.toLocaleString("en")} ${dryRun === true ? "would get another outcome" : "have another outcome now"}.`,
        );
        if (own !== null && dryRun !== true && changed > 0) await own.addUp();
      });
    });
}

export function classificationRulesCommand(terminal: Terminal): Command {
  return withServerFlags(new Command("classification-rules"))
    .description("Show the project's own rules by which failures are named, or replace them.")
    .argument("[file]", "JSON to replace them with: {“rules”: […]}; - for standard input")
    .action(async (file: string | undefined, flags: ServerFlags) => {
      const wanted = file === undefined ? undefined : await readRules(file, terminal);
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const path = `/api/classification-rules${query}`;
        const answer = await (wanted === undefined ? api.call("GET", path) : api.call("PUT", path, wanted));
        const { rules } = classificationRules.parse(answer);
        if (wanted === undefined) terminal.stdout.write(`${JSON.stringify({ rules }, null, 2)}\n`);
        else {
          const hold = rules.length === 1 ? "1 rule holds" : `${rules.length} rules hold`;
          terminal.say(`${hold} from now on. For what is stored: busyhour reclassify`);
        }
      });
    });
}

/** @throws CommandError */
async function readRules(file: string, terminal: Terminal): Promise<unknown> {
  let text: string;
  try {
    text = file === "-" ? await readAll(terminal.stdin) : readFileSync(file, "utf8");
  } catch {
    throw new CommandError(`${file} cannot be read.`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${file} is no JSON: it looks like {"rules": [{"id": "our-proxy/nap", …}]}.`);
  }
}

async function readAll(stream: AsyncIterable<Buffer | string>): Promise<string> {
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  return text;
}
