import { Command, Option } from "commander";
import { SEVERITIES } from "../contract/alert-rule.ts";
import {
  CHANNEL_KINDS,
  type ChannelRecord,
  channelsAnswer,
  channelTest,
  createdChannel,
} from "../contract/channel.ts";
import { CommandError } from "./api-client.ts";
import { parseId } from "./people.ts";
import type { Terminal } from "./terminal.ts";
import { type ServerFlags, withServerFlags, withWorkPlace } from "./work.ts";

interface AddFlags extends ServerFlags {
  readonly kind?: string;
  readonly name?: string;
  readonly language?: string;
  readonly least?: string;
  readonly signingSecret?: string;
  readonly keyword?: string;
  readonly mailTo?: readonly string[];
  readonly sender?: string;
}

export function channelsCommand(terminal: Terminal): Command {
  const channels = new Command("channels").description("Where alerts and reports go.");
  withServerFlags(channels.command("list"))
    .description("List the channels of a project.")
    .action(async (flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const answer = channelsAnswer.parse(await api.call("GET", `/api/channels${query}`));
        if (answer.channels.length === 0) terminal.say("No channels: nobody is told of alerts.");
        for (const one of answer.channels) terminal.stdout.write(`${describe(one)}\n`);
      });
    });
  withServerFlags(channels.command("add"))
    .description("Add a channel; its kind is told from the address.")
    .argument(
      "<address>",
      "a webhook's URL, an integration key, an SMTP server; - reads it from standard input",
    )
    .addOption(
      new Option("--kind <kind>", "in place of the one that the address tells").choices(CHANNEL_KINDS),
    )
    .option("--name <name>", "its name")
    .addOption(new Option("--language <language>", "of its messages").choices(["en", "zh"]))
    .addOption(new Option("--least <severity>", "takes this severity and above").choices(SEVERITIES))
    .option("--signing-secret <secret>", "Feishu's or DingTalk's")
    .option("--keyword <word>", "that Feishu or DingTalk want in each message")
    .option("--mail-to <address>", "whom e-mails go to; repeatable", (one: string, all: string[] = []) => [
      ...all,
      one,
    ])
    .option("--sender <address>", "sender of e-mails")
    .action(async (address: string, { kind, name, language, least, mailTo, sender, ...flags }: AddFlags) => {
      const { signingSecret, keyword, ...place } = flags;
      const body = {
        address: address === "-" ? await readLine(terminal.stdin) : address,
        kind,
        name,
        locale: language,
        leastSeverity: least,
        signingSecret,
        keyword,
        to: mailTo,
        from: sender,
      };
      await withWorkPlace(terminal, place, async ({ api }, query) => {
        const made = createdChannel.parse(await api.call("POST", `/api/channels${query}`, body));
        terminal.say(
          `Channel ${made.id} is there. busyhour channels test ${made.id} shows whether it works.`,
        );
        terminal.stdout.write(`${describe(made)}\n`);
        if (made.signingSecret !== null) {
          terminal.say("Its messages are signed with this secret, which is shown only now:");
          terminal.stdout.write(`${made.signingSecret}\n`);
        }
      });
    });
  withServerFlags(channels.command("test"))
    .description("Send a test message, and print what was answered.")
    .argument("<id>", "number in `busyhour channels list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, async ({ api }, query) => {
        const tried = channelTest.parse(await api.call("POST", `/api/channels/${id}/tests${query}`));
        const status = tried.status === null ? "no answer" : `status ${tried.status}`;
        terminal.stdout.write(`${status} after ${tried.durationMs} ms: ${tried.answer || "–"}\n`);
        if (tried.isDelivered) terminal.say("Delivered.");
        else {
          terminal.say(tried.hint ?? "It was not delivered.");
          terminal.setExitCode(1);
        }
      });
    });
  withServerFlags(channels.command("remove"))
    .description("Remove a channel with its outbox and its log.")
    .argument("<id>", "number in `busyhour channels list`", parseId)
    .action(async (id: number, flags: ServerFlags) => {
      await withWorkPlace(terminal, flags, ({ api }, query) =>
        api.call("DELETE", `/api/channels/${id}${query}`),
      );
      terminal.say(`Channel ${id} is gone.`);
    });
  return channels;
}

function describe(one: ChannelRecord): string {
  const { id, name, kind, address, locale, leastSeverity, isEnabled, state, waiting, lastFailure } = one;
  const does = isEnabled ? state : "off";
  const why = lastFailure === null ? "" : ` (${lastFailure.code})`;
  return [id, name, kind, address, locale, leastSeverity, `${does}${why}`, `${waiting} waiting`].join("\t");
}

async function readLine(stdin: AsyncIterable<Buffer | string>): Promise<string> {
  let text = "";
  for await (const part of stdin) text += String(part);
  const [line = ""] = text.split(/\r?\n/);
  if (line.trim() === "") throw new CommandError("Standard input holds no address.");
  return line.trim();
}
