import { cutEscaped, inBytes, toLine } from "../cut.ts";
import type { Message } from "../message.ts";
import { fitLines, longText, shortLines } from "./chat.ts";
import { escapeByLooks, ROBOT_MARKDOWN } from "./dialect-cn.ts";
import { judgeErrcode } from "./errcode.ts";
import { maskUrl, post, readUrl } from "./http.ts";
import { DAY_MS, type Kind, MINUTE_MS, type Verdict } from "./kind.ts";

const HOST = "qyapi.weixin.qq.com";

/** Of the whole text, in UTF-8. */
const MOST_BYTES = 4_096;

const COLOURS = { critical: "warning", warning: "warning", info: "comment" } as const;

/** The text first, then what must not be lost; what is left in between is for the rest. */
function layOut(message: Message) {
  const { mark, title, markdown, link, footer, notes, event, severity } = message;
  const colour = event === "resolved" || event === "test" ? "info" : COLOURS[severity];
  const head = `**${mark} <font color="${colour}">${cutEscaped(toLine(title), 600, escapeByLooks, inBytes)}</font>**`;
  const small = cutEscaped([...notes, footer].map(toLine).join(" · "), 400, escapeByLooks, inBytes);
  const tail = `[${escapeByLooks(link.text)}](${link.url})\n<font color="comment">${small}</font>`;
  const room = MOST_BYTES - inBytes(head) - inBytes(tail) - 2;
  const body =
    markdown === null
      ? fitLines(
          shortLines({ ...message, notes: [] }).map((line) =>
            cutEscaped(toLine(line), 800, escapeByLooks, inBytes),
          ),
          room,
          inBytes,
        )
      : longText(markdown, ROBOT_MARKDOWN, room, inBytes);
  return {
    msgtype: "markdown",
    markdown: { content: [head, ...(body === "" ? [] : [body]), tail].join("\n") },
  };
}

const UNKNOWN: ReadonlySet<unknown> = new Set([93_000, 40_001, 40_014]);

function meaningOf(code: unknown): Verdict | null {
  if (code === 45_009) return { is: "retry", why: "rate_limited", afterMs: MINUTE_MS };
  return UNKNOWN.has(code) ? { is: "failed", why: "address_unknown" } : null;
}

/** Robots of groups: https://developer.work.weixin.qq.com/document/path/91770. 20 messages a minute. */
export const wecom: Kind = {
  kind: "wecom",
  label: "WeCom",
  needs: [],
  takes: [],
  limit: { burst: 8, perMinute: 10 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 10_000,
  recognises(url) {
    if (url.hostname !== HOST) return false;
    return url.pathname === "/cgi-bin/webhook/send" && url.searchParams.has("key")
      ? true
      : { fault: "is no robot's: it looks like https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=…" };
  },
  readAddress: readUrl,
  mask: maskUrl,
  deliver: ({ message, nowMs }, { address }, net) =>
    post(net, { url: address, body: layOut(message) }, (answer) => judgeErrcode(answer, nowMs, meaningOf)),
};
