import { cut, inBytes, toLine } from "../cut.ts";
import { joinLines, PLAIN, readMarkdown, writeMarkdown } from "../markdown.ts";
import type { Message } from "../message.ts";
import { shortLines } from "./chat.ts";
import { type Answer, judgeStatus, maskUrl, post, readUrl } from "./http.ts";
import { DAY_MS, type Kind, type Verdict } from "./kind.ts";

const HOST =
  /(?:^|\.)(?:logic\.azure\.(?:com|us)|powerplatform\.com|powerautomate\.com|flow\.microsoft\.com)$/;
const OLD_HOST = /(?:^|\.)(?:webhook\.office\.com|outlook\.office(?:365)?\.com)$/;
const OLD_FAULT =
  "is one of the old connectors, which Microsoft has switched off: in Teams open Workflows beside the channel, choose “Send webhook alerts to a channel”, and use the URL that it makes";

/** Of a whole message: about 28 KB, less what JSON adds. */
const MOST_BYTES = 20_000;
const MOST_TITLE = 500;
const MOST_LINE = 1_000;

/** What an adaptive card calls the colours of its texts. */
const COLOURS = { critical: "attention", warning: "warning", info: "accent" } as const;

/** An adaptive card. Runs of texts know no Markdown: nothing in them can be a link or a mention. */
function layOut(message: Message) {
  const { mark, title, markdown, link, footer, notes, event, severity } = message;
  const isGood = event === "resolved" || event === "test";
  const paragraph = (text: string, style: object = {}) => ({
    type: "RichTextBlock",
    inlines: [{ type: "TextRun", text, ...style }],
  });
  const lines =
    markdown === null
      ? shortLines({ ...message, notes: [] }).map((line) => cut(toLine(line), MOST_LINE))
      : joinLines(writeMarkdown(readMarkdown(markdown), PLAIN), MOST_BYTES, inBytes)
          .split("\n")
          .filter((line) => line.trim() !== "");
  const head = {
    weight: "bolder",
    size: "medium",
    color: isGood ? "good" : COLOURS[severity],
  };
  return {
    type: "message",
    attachments: [
      {
        contentType: "application/vnd.microsoft.card.adaptive",
        contentUrl: null,
        content: {
          $schema: "http://adaptivecards.io/schemas/adaptive-card.json",
          type: "AdaptiveCard",
          version: "1.4",
          msteams: { width: "Full" },
          body: [
            paragraph(cut(`${mark} ${toLine(title)}`, MOST_TITLE), head),
            ...lines.map((line) => paragraph(line)),
            paragraph(cut([...notes, footer].map(toLine).join(" · "), MOST_LINE), {
              isSubtle: true,
              size: "small",
            }),
          ],
          actions: [{ type: "Action.OpenUrl", title: toLine(link.text), url: link.url }],
        },
      },
    ],
  };
}

/** Words of workflows that are there no more, or switched off. */
const UNKNOWN = /WorkflowNotFound|WorkflowTriggerIsNotEnabled|WorkflowTriggerNotFound|NoResponse/;
/** The service took it and says within that Teams did not. */
const HIDDEN_FAILURE = /(?:HTTP error|failed with error|returned HTTP)[^0-9]*(\d{3})?/i;

function judge(answer: Answer, nowMs: number): Verdict {
  const verdict = judgeStatus(answer, nowMs);
  if (verdict.is === "delivered") {
    const hidden = HIDDEN_FAILURE.exec(answer.text);
    if (hidden === null) return verdict;
    return { is: "retry", why: hidden[1] === "429" ? "rate_limited" : "receiver_error", afterMs: null };
  }
  return verdict.is === "failed" && verdict.why !== "redirected" && UNKNOWN.test(answer.text)
    ? { is: "failed", why: "address_unknown" }
    : verdict;
}

/**
 * Workflows: https://support.microsoft.com/office/8ae491c7-0394-4861-ba59-055e33f75498. They answer 202 before the card
 * is posted: what goes wrong within the flow is seen there alone. The limits are those of the connectors before them.
 */
export const teams: Kind = {
  kind: "teams",
  label: "Microsoft Teams",
  needs: [],
  takes: [],
  limit: { burst: 4, perMinute: 1.5 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 10_000,
  recognises(url) {
    if (OLD_HOST.test(url.hostname)) return { fault: OLD_FAULT };
    return HOST.test(url.hostname);
  },
  readAddress(text) {
    const read = readUrl(text);
    return "address" in read && OLD_HOST.test(new URL(read.address).hostname) ? { fault: OLD_FAULT } : read;
  },
  mask: maskUrl,
  deliver: ({ message, nowMs }, { address }, net) =>
    post(net, { url: address, body: layOut(message) }, (answer) => judge(answer, nowMs)),
};
