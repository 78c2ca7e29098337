import { cut, cutEscaped, toLine } from "../cut.ts";
import type { Dialect } from "../markdown.ts";
import type { Message } from "../message.ts";
import { colourOf, longText, shortLines } from "./chat.ts";
import { type Answer, judgeStatus, maskUrl, post, readNumber, readUrl } from "./http.ts";
import { DAY_MS, type Kind, type Verdict } from "./kind.ts";

const HOST = /^(?:(?:ptb|canary)\.)?discord(?:app)?\.com$/;
const PATH = /^\/api\/(?:v\d+\/)?webhooks\/\d+\/[\w-]+$/;

const quote = (text: string) => text.replace(/[\\*_~`|>#[\]()<@-]/g, "\\$&");

const DISCORD: Dialect = {
  escape: quote,
  strong: (text) => `**${text}**`,
  emphasis: (text) => `*${text}*`,
  code: (text) => `\`${text.replaceAll("`", "'")}\``,
  link: (text, url) => `[${quote(text)}](${url})`,
  heading: (line) => `**${line}**`,
  item: (line) => `- ${line}`,
};

const MOST_TITLE = 256;
const MOST_DESCRIPTION = 4_096;
const MOST_FOOTER = 2_048;
/** Of an embed's texts together. */
const MOST_IN_ALL = 6_000;

function layOut(message: Message, nowMs: number) {
  const { mark, title, markdown, link, footer, notes } = message;
  const lines = shortLines({ ...message, notes: [] }).map((line) => cutEscaped(line, 1_000, quote));
  const foot = cut([...notes, footer].map(toLine).join(" · "), MOST_FOOTER / 2);
  const head = cut(`${mark} ${toLine(title)}`, MOST_TITLE);
  const room = Math.min(MOST_DESCRIPTION, MOST_IN_ALL - head.length - foot.length);
  const description = markdown === null ? lines.join("\n") : longText(markdown, DISCORD, room);
  return {
    // Nobody is called by name, whatever a text says.
    allowed_mentions: { parse: [] },
    embeds: [
      {
        title: head,
        ...(description === "" ? {} : { description }),
        // An address of this machine alone is refused there.
        ...(/^https?:\/\/[^/]+\.[^/]+/.test(link.url) ? { url: link.url } : {}),
        color: colourOf(message),
        footer: { text: foot },
        timestamp: new Date(nowMs).toISOString(),
      },
    ],
  };
}

/** Error codes that mean that the webhook is not there: unknown webhook, channel, guild; invalid webhook token. */
const UNKNOWN: ReadonlySet<unknown> = new Set([10_015, 10_003, 10_004, 50_027]);
const MOST_SECONDS = 3_600;

/** The header says seconds. The body says seconds, or in old versions milliseconds. */
function readWait({ headers, json }: Answer): number | null {
  const seconds = readNumber(headers, "retry-after") ?? readNumber(headers, "x-ratelimit-reset-after");
  if (seconds !== null) return Math.ceil(seconds * 1_000);
  const told = json?.["retry_after"];
  if (typeof told !== "number" || !(told >= 0)) return null;
  return Math.ceil(told > MOST_SECONDS ? told : told * 1_000);
}

function judge(answer: Answer, nowMs: number): Verdict {
  const verdict = judgeStatus(answer, nowMs);
  if (answer.status === 429) return { is: "retry", why: "rate_limited", afterMs: readWait(answer) };
  if (verdict.is === "delivered") {
    // With `wait` the answer is the message as it stands in the channel.
    if (answer.status !== 204 && typeof answer.json?.["id"] !== "string")
      return { is: "retry", why: "not_understood", afterMs: null };
    const resetAfter = readNumber(answer.headers, "x-ratelimit-reset-after");
    const isEmpty = readNumber(answer.headers, "x-ratelimit-remaining") === 0;
    return isEmpty && resetAfter !== null
      ? { is: "delivered", pauseMs: Math.ceil(resetAfter * 1_000) }
      : verdict;
  }
  if (verdict.is === "failed" && UNKNOWN.has(answer.json?.["code"]))
    return { is: "failed", why: "address_unknown" };
  return verdict;
}

/**
 * Webhooks: https://docs.discord.com/developers/resources/webhook#execute-webhook. Five messages in two seconds, 30 a
 * minute.
 */
export const discord: Kind = {
  kind: "discord",
  label: "Discord",
  needs: [],
  takes: [],
  limit: { burst: 4, perMinute: 24 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 5_000,
  recognises(url) {
    if (!HOST.test(url.hostname)) return false;
    return PATH.test(url.pathname)
      ? true
      : {
          fault:
            "is no webhook's: in the channel's settings, Integrations, Webhooks, copy the URL, like https://discord.com/api/webhooks/…",
        };
  },
  readAddress: readUrl,
  mask: maskUrl,
  deliver({ message, nowMs }, { address }, net) {
    const url = new URL(address);
    url.searchParams.set("wait", "true");
    return post(net, { url: url.href, body: layOut(message, nowMs) }, (answer) => judge(answer, nowMs));
  },
};
