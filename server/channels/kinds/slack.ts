import { cut, cutEscaped, toLine } from "../cut.ts";
import type { Dialect } from "../markdown.ts";
import type { Message } from "../message.ts";
import { longText, shortLines } from "./chat.ts";
import { type Answer, judgeStatus, maskUrl, post, readUrl } from "./http.ts";
import { DAY_MS, type Envelope, type Kind, type Verdict } from "./kind.ts";

const HOSTS: ReadonlySet<string> = new Set(["hooks.slack.com", "hooks.slack-gov.com"]);

/** `&`, `<` and `>` are all that has a meaning that escapes undo: links and mentions are written with them. */
const quote = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const MRKDWN: Dialect = {
  escape: quote,
  strong: (text) => `*${text}*`,
  emphasis: (text) => `_${text}_`,
  code: (text) => `\`${quote(text)}\``,
  // A bar would end the address.
  link: (text, url) => `<${quote(url).replaceAll("|", "%7C")}|${quote(text)}>`,
  heading: (line) => `*${line}*`,
  item: (line) => `• ${line}`,
};

const MOST_HEADER = 150;
const MOST_SECTION = 3_000;
const MOST_CONTEXT = 2_000;
const MOST_FALLBACK = 3_000;
const MOST_BUTTON = 75;
const MOST_URL = 3_000;

/** Block Kit; `text` is what notifications show. */
function layOut(message: Message) {
  const { mark, title, markdown, link, footer, notes } = message;
  const body =
    markdown === null
      ? shortLines({ ...message, notes: [] })
          .map((line) => cutEscaped(line, 900, quote))
          .join("\n")
      : longText(markdown, MRKDWN, MOST_SECTION);
  const context = [...notes, footer].map(toLine).join(" · ");
  const section = (text: string) => ({ type: "section", text: { type: "mrkdwn", text } });
  const blocks = [
    {
      type: "header",
      text: { type: "plain_text", text: cut(`${mark} ${toLine(title)}`, MOST_HEADER), emoji: true },
    },
    ...(body === "" ? [] : [section(body)]),
    ...(link.url.length > MOST_URL
      ? []
      : [
          {
            type: "actions",
            elements: [
              {
                type: "button",
                text: { type: "plain_text", text: cut(link.text, MOST_BUTTON) },
                url: link.url,
              },
            ],
          },
        ]),
    { type: "context", elements: [{ type: "mrkdwn", text: cutEscaped(context, MOST_CONTEXT, quote) }] },
  ];
  return { text: cutEscaped(`${mark} ${toLine(title)}`, MOST_FALLBACK, quote), blocks };
}

/** Words with which the receiver says what is the matter, beside its status. */
const NOT_ALLOWED =
  /^(?:action_prohibited|posting_to_general_channel_denied|user_not_found|restricted_action)/;
const UNKNOWN =
  /^(?:channel_not_found|no_service|no_service_id|no_team|team_disabled|invalid_token|no_active_hooks)/;

function judge(answer: Answer, nowMs: number): Verdict {
  const text = answer.text.trim();
  const verdict = judgeStatus(answer, nowMs);
  if (verdict.is === "delivered")
    return text === "ok" ? verdict : { is: "retry", why: "not_understood", afterMs: null };
  if (verdict.is === "retry" || verdict.why === "redirected") return verdict;
  if (text === "channel_is_archived") return { is: "failed", why: "address_unknown" };
  if (UNKNOWN.test(text)) return { is: "failed", why: "address_unknown" };
  return NOT_ALLOWED.test(text) ? { is: "failed", why: "not_allowed" } : verdict;
}

/**
 * Incoming webhooks: https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks, limits of blocks:
 * https://docs.slack.dev/reference/block-kit/blocks. A message a second, short bursts aside.
 */
export const slack: Kind = {
  kind: "slack",
  label: "Slack",
  needs: [],
  takes: [],
  limit: { burst: 3, perMinute: 60 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 5_000,
  recognises(url) {
    if (!HOSTS.has(url.hostname)) return false;
    return /^\/(?:triggers|workflows)\//.test(url.pathname)
      ? {
          fault:
            "starts a workflow of Slack, which takes no messages: add an incoming webhook to a Slack app and use its URL, like https://hooks.slack.com/services/…",
        }
      : true;
  },
  readAddress: readUrl,
  mask: maskUrl,
  deliver: ({ message, nowMs }: Envelope, { address }, net) =>
    post(net, { url: address, body: layOut(message) }, (answer) => judge(answer, nowMs)),
};
