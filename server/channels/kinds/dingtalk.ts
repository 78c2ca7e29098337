import { createHmac } from "node:crypto";
import { cutEscaped, inBytes, toLine } from "../cut.ts";
import type { Message } from "../message.ts";
import { fitLines, longText, shortLines } from "./chat.ts";
import { escapeByLooks, ROBOT_MARKDOWN } from "./dialect-cn.ts";
import { judgeErrcode } from "./errcode.ts";
import { maskUrl, post, readUrl } from "./http.ts";
import { DAY_MS, type Kind, MINUTE_MS, type Verdict } from "./kind.ts";

const HOST = "oapi.dingtalk.com";

/** Of a whole message: 20,000 bytes; what JSON adds is left aside. */
const MOST_BYTES = 12_000;
const MOST_TITLE = 100;

/**
 * Proves that we know the robot's secret: HMAC-SHA-256 with the secret as its key. Base64, not yet escaped for a query.
 * https://open.dingtalk.com/document/orgapp/customize-robot-security-settings
 */
export function signDingtalk(secret: string, nowMs: number): string {
  return createHmac("sha256", secret).update(`${nowMs}\n${secret}`).digest("base64");
}

/** Lines of Markdown; an empty one between them, without which they run into one another. */
function layOut(message: Message, keyword: string | null) {
  const { mark, title, markdown, link, footer, notes } = message;
  const head = cutEscaped(toLine(title), 400, escapeByLooks);
  const small = [...notes, footer, ...(keyword === null ? [] : [keyword])].map((line) =>
    escapeByLooks(toLine(line)),
  );
  const body =
    markdown === null
      ? fitLines(
          shortLines({ ...message, notes: [] }).map((line) => cutEscaped(toLine(line), 1_000, escapeByLooks)),
          MOST_BYTES,
          inBytes,
        )
      : longText(markdown, ROBOT_MARKDOWN, MOST_BYTES, inBytes);
  const paragraphs = [
    `#### ${mark} ${head}`,
    ...body.split("\n").filter((line) => line.trim() !== ""),
    `[${escapeByLooks(link.text)}](${link.url})`,
    cutEscaped(small.join(" · "), 600, (text) => text),
  ];
  return {
    msgtype: "markdown",
    markdown: {
      title: cutEscaped(`${mark} ${toLine(title)}`, MOST_TITLE, escapeByLooks),
      text: paragraphs.join("\n\n"),
    },
    at: { isAtAll: false },
  };
}

/** Whoever sends too fast is shut out for so long. */
const PENALTY_MS = 10 * MINUTE_MS;
const THROTTLED: ReadonlySet<unknown> = new Set([130_101, 410_100, 302_033, 90_018]);
const UNKNOWN: ReadonlySet<unknown> = new Set([300_001, 300_005, 400_101, 40_035]);

/** What codes mean; of 310000 its text says it. */
function meaningOf(code: unknown, says: string): Verdict | null {
  if (THROTTLED.has(code)) return { is: "retry", why: "rate_limited", afterMs: PENALTY_MS };
  if (UNKNOWN.has(code)) return { is: "failed", why: "address_unknown" };
  if (code !== 310_000) return null;
  if (/keyword/i.test(says)) return { is: "failed", why: "keyword_missing" };
  return { is: "failed", why: /sign|timestamp/i.test(says) ? "bad_signature" : "not_allowed" };
}

/** Robots of DingTalk: 20 messages a minute, then silence for ten. */
export const dingtalk: Kind = {
  kind: "dingtalk",
  label: "DingTalk",
  needs: [],
  takes: ["signingSecret", "keyword"],
  limit: { burst: 8, perMinute: 10 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 10_000,
  recognises(url) {
    if (url.hostname !== HOST) return false;
    return url.pathname === "/robot/send" && url.searchParams.has("access_token")
      ? true
      : { fault: "is no robot's: it looks like https://oapi.dingtalk.com/robot/send?access_token=…" };
  },
  readAddress: readUrl,
  mask: maskUrl,
  deliver({ message, nowMs }, { address, signingSecrets, keyword }, net) {
    const [secret] = signingSecrets;
    const url = new URL(address);
    if (secret !== undefined) {
      url.searchParams.set("timestamp", String(nowMs));
      url.searchParams.set("sign", signDingtalk(secret, nowMs));
    }
    return post(net, { url: url.href, body: layOut(message, keyword) }, (answer) =>
      judgeErrcode(answer, nowMs, meaningOf),
    );
  },
};
