import { createHmac } from "node:crypto";
import { cut, inBytes, toLine } from "../cut.ts";
import { joinLines, PLAIN, readMarkdown, writeMarkdown } from "../markdown.ts";
import type { Message } from "../message.ts";
import { shortLines } from "./chat.ts";
import { type Answer, judgeStatus, maskUrl, post, readNumber, readUrl } from "./http.ts";
import { DAY_MS, type Kind, type Verdict } from "./kind.ts";

const HOST = /^open\.(?:feishu\.cn|larksuite\.com)$/;
const PATH = /^\/open-apis\/bot\/v2\/hook\/[\w-]+$/;

/** Of the body: 20 KB; what JSON and the card add is left aside. */
const MOST_BYTES = 14_000;
const MOST_TITLE_BYTES = 600;

/**
 * Proves that we know the robot's secret: HMAC-SHA-256 of nothing, with time and secret as its key.
 * https://open.feishu.cn/document/client-docs/bot-v3/add-custom-bot
 */
export function signFeishu(secret: string, seconds: number): string {
  return createHmac("sha256", `${seconds}\n${secret}`).update("").digest("base64");
}

const COLOURS = { critical: "red", warning: "orange", info: "blue" } as const;

/** A card of plain texts: what it does not read as markup needs no escape, and can call nobody. */
function layOut(message: Message, keyword: string | null) {
  const { mark, title, markdown, link, footer, notes, event, severity } = message;
  const lines =
    markdown === null
      ? shortLines({ ...message, notes: [] }).map(toLine)
      : writeMarkdown(readMarkdown(markdown), PLAIN);
  const text = joinLines(
    lines.map((line) => cut(line, 3_000, inBytes)),
    MOST_BYTES,
    inBytes,
  ).trim();
  const foot = [...notes, footer, ...(keyword === null ? [] : [keyword])].map(toLine).join(" · ");
  const plain = (content: string) => ({ tag: "plain_text", content });
  return {
    config: { wide_screen_mode: true },
    header: {
      template: event === "resolved" || event === "test" ? "green" : COLOURS[severity],
      title: plain(cut(`${mark} ${toLine(title)}`, MOST_TITLE_BYTES, inBytes)),
    },
    elements: [
      ...(text === "" ? [] : [{ tag: "div", text: plain(text) }]),
      {
        tag: "action",
        actions: [{ tag: "button", type: "primary", text: plain(toLine(link.text)), url: link.url }],
      },
      { tag: "note", elements: [plain(cut(foot, 1_500, inBytes))] },
    ],
  };
}

const CODES: ReadonlyMap<unknown, Verdict> = new Map<unknown, Verdict>([
  [9_499, { is: "failed", why: "message_refused" }],
  [19_001, { is: "failed", why: "address_unknown" }],
  [19_021, { is: "failed", why: "bad_signature" }],
  [19_022, { is: "failed", why: "not_allowed" }],
  [19_024, { is: "failed", why: "keyword_missing" }],
]);
const THROTTLED: ReadonlySet<unknown> = new Set([11_232, 99_991_400]);

/** The status is 200 in most cases; `code` decides. */
function judge(answer: Answer, nowMs: number): Verdict {
  const verdict = judgeStatus(answer, nowMs);
  const code = answer.json?.["code"] ?? answer.json?.["StatusCode"];
  const reset = readNumber(answer.headers, "x-ogw-ratelimit-reset");
  if (THROTTLED.has(code) || answer.status === 429) {
    const told = verdict.is === "retry" ? verdict.afterMs : null;
    return { is: "retry", why: "rate_limited", afterMs: reset === null ? told : reset * 1_000 };
  }
  const known = CODES.get(code);
  if (known !== undefined) return known;
  if (verdict.is !== "delivered" || code === 0) return verdict;
  return typeof code === "number"
    ? { is: "failed", why: "message_refused" }
    : { is: "retry", why: "not_understood", afterMs: null };
}

/** Robots of Feishu and Lark: five messages a second, 100 a minute. */
export const feishu: Kind = {
  kind: "feishu",
  label: "Feishu / Lark",
  needs: [],
  takes: ["signingSecret", "keyword"],
  limit: { burst: 4, perMinute: 60 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 5_000,
  recognises(url) {
    if (!HOST.test(url.hostname)) return false;
    return PATH.test(url.pathname)
      ? true
      : {
          fault:
            "is no custom robot's: in the group's settings, Bots, add a custom bot and copy its webhook, like https://open.feishu.cn/open-apis/bot/v2/hook/…",
        };
  },
  readAddress: readUrl,
  mask: maskUrl,
  deliver({ message, nowMs }, { address, signingSecrets, keyword }, net) {
    const [secret] = signingSecrets;
    const seconds = Math.floor(nowMs / 1_000);
    const proof =
      secret === undefined ? {} : { timestamp: String(seconds), sign: signFeishu(secret, seconds) };
    const body = { ...proof, msg_type: "interactive", card: layOut(message, keyword) };
    return post(net, { url: address, body }, (answer) => judge(answer, nowMs));
  },
};
