import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ChannelConfig, Net } from "../../server/channels/kinds/kind.ts";
import { kindOf } from "../../server/channels/kinds/kinds.ts";
import { composeMessage } from "../../server/channels/message.ts";
import type { ChannelKind } from "../../server/contract/channel.ts";
import type { Notice } from "../../server/contract/notice.ts";
import { anAlert, aText } from "../support/notices.ts";

const PUBLIC_URL = "https://busyhour.example.com";
const NOW = Date.parse("2026-11-29T12:00:30Z");

const ADDRESSES: Readonly<Record<Exclude<ChannelKind, "email">, string>> = {
  slack: "https://hooks.slack.com/services/T000/B000/abcdefghijklmnopqrstuvwx",
  discord: "https://discord.com/api/webhooks/1234/abcdefghijklmnop",
  teams: "https://prod-1.westeurope.logic.azure.com/workflows/x/triggers/manual/paths/invoke?sig=abc",
  feishu: "https://open.feishu.cn/open-apis/bot/v2/hook/abcd-1234",
  dingtalk: "https://oapi.dingtalk.com/robot/send?access_token=abcd1234",
  wecom: "https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=abcd-1234",
  pagerduty: `https://events.pagerduty.com/v2/enqueue?routing_key=${"a1".repeat(16)}`,
  webhook: "https://hooks.example.com/x",
  alertmanager: "https://hooks.example.com/y",
};

// biome-ignore lint/suspicious/noExplicitAny: bodies of nine formats, whose shape the tests hold
type Body = any;

/** What a kind would post of a notice. */
async function bodyOf(
  kind: keyof typeof ADDRESSES,
  notice: Notice,
  parts: Partial<ChannelConfig> & { locale?: "en" | "zh"; mayRepeat?: boolean } = {},
): Promise<{ body: Body; text: string }> {
  const { locale = "en", mayRepeat = false, ...config } = parts;
  let text = "";
  const net: Net = {
    fetch: async (_, init) => {
      text = String(init?.body);
      return new Response("ok");
    },
    lookUp: async () => [],
    mayBePlain: () => false,
    timeoutMs: 1,
  };
  const message = composeMessage(notice, {
    locale,
    zone: "UTC",
    publicUrl: PUBLIC_URL,
    nowMs: NOW,
    mayRepeat,
  });
  await kindOf(kind).deliver(
    { notice, message, messageId: "id-1", publicUrl: PUBLIC_URL, nowMs: NOW },
    {
      name: "ops",
      address: ADDRESSES[kind],
      signingSecrets: [],
      authorization: null,
      keyword: null,
      to: [],
      from: null,
      ...config,
    },
    net,
  );
  return { body: JSON.parse(text), text };
}

/** Texts as long and as odd as they can be: scripts of all kinds, marks of every markup, half surrogates, mentions. */
const oddText = (maxLength: number) =>
  fc.oneof(
    fc.string({ unit: "binary", maxLength }),
    fc.string({ unit: "grapheme", maxLength }),
    fc.constantFrom(
      "<!channel>",
      "<@U123> & <https://evil.example|click>",
      "[click](https://evil.example)",
      "@everyone",
      "<at id=all></at>",
      "</font><script>",
      "**`_~|>#",
      "\ud800",
      "👩‍👩‍👧‍👦".repeat(Math.max(1, Math.floor(maxLength / 11))),
      "服务商容量不足".repeat(Math.max(1, Math.floor(maxLength / 7))),
      "&".repeat(maxLength),
      "<".repeat(maxLength),
      "*".repeat(maxLength),
      `a\r\nb\u2028c${"x".repeat(Math.max(0, maxLength - 6))}`,
    ),
  );

const subject = fc.record(
  {
    provider: oddText(200),
    model: oddText(200),
    endpoint: oddText(200),
    source: oddText(100),
    chain: oddText(100),
  },
  { requiredKeys: [] },
);

const anyAlert: fc.Arbitrary<Notice> = fc
  .record({
    event: fc.constantFrom("firing", "reminder", "acknowledged", "resolved" as const),
    severity: fc.constantFrom("critical", "warning", "info" as const),
    subject,
    of: fc.constantFrom("attempts", "requests", "degraded", "events", "amplification" as const),
    outcomes: fc.array(fc.constantFrom("capacity", "auth", "quota", "timeout", "network"), { maxLength: 5 }),
    k: fc.nat(),
    n: fc.nat(),
    value: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    usual: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    peak: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    folded: fc.array(subject, { maxLength: 60 }),
    order: fc.option(fc.array(oddText(200), { maxLength: 30 })),
    cause: fc.option(
      fc.record({ code: fc.constantFrom("model", "ownRetries", "no such"), params: fc.constant({}) }),
    ),
    dedupeKey: oddText(200),
    ruleName: oddText(100),
    projectName: oddText(100),
    view: oddText(3_000).map((text) => `/p/default/${text}`),
  })
  .map(({ ruleName, projectName, ...parts }) =>
    anAlert({
      ...(parts as Partial<Parameters<typeof anAlert>[0]>),
      endedAt: parts.event === "resolved" ? "2026-11-29T12:00:00.000Z" : null,
      rule: { id: 1, name: ruleName },
      project: { slug: "default", name: projectName },
    }),
  );

const anyText: fc.Arbitrary<Notice> = fc
  .record({
    event: fc.constantFrom("test", "report", "channelBroken", "digest" as const),
    title: oddText(400),
    markdown: fc.array(oddText(3_000), { maxLength: 30 }).map((parts) => parts.join("\n")),
  })
  .map(({ event, ...text }) => aText({ event, text: { en: text, zh: text }, data: { big: text.markdown } }));

const any = fc.oneof(anyAlert, anyText);
const locale = fc.constantFrom("en", "zh" as const);
const bytes = (text: string) => Buffer.byteLength(text);

/** Holds for whatever is told, in both languages. */
const hold = (kind: keyof typeof ADDRESSES, check: (body: Body, text: string, notice: Notice) => void) =>
  fc.assert(
    fc.asyncProperty(any, locale, fc.boolean(), async (notice, language, mayRepeat) => {
      const { body, text } = await bodyOf(kind, notice, { locale: language, mayRepeat });
      expect(text).not.toMatch(/\\ud[89a-f]/);
      check(body, text, notice);
    }),
    { numRuns: 150 },
  );

describe("what Slack is sent", () => {
  it("stays within its limits, and is all blocks that it knows", async () => {
    await hold("slack", ({ text, blocks }) => {
      expect(text.length).toBeGreaterThan(0);
      expect(text.length).toBeLessThanOrEqual(40_000);
      expect(blocks.length).toBeLessThanOrEqual(50);
      for (const block of blocks) {
        expect(["header", "section", "actions", "context"]).toContain(block.type);
        if (block.type === "header") expect(block.text.text.length).toBeLessThanOrEqual(150);
        if (block.type === "header") expect(block.text.type).toBe("plain_text");
        if (block.type === "section") {
          expect(block.text.text.length).toBeGreaterThanOrEqual(1);
          expect(block.text.text.length).toBeLessThanOrEqual(3_000);
        }
        if (block.type === "context") {
          expect(block.elements.length).toBeLessThanOrEqual(10);
          for (const { text } of block.elements) {
            expect(text.length).toBeGreaterThan(0);
            expect(text.length).toBeLessThanOrEqual(2_000);
          }
        }
        if (block.type === "actions") {
          const [button] = block.elements;
          expect(button.text.text.length).toBeLessThanOrEqual(75);
          expect(button.url.length).toBeLessThanOrEqual(3_000);
        }
      }
      expect(JSON.stringify(blocks).length).toBeLessThan(13_000);
    });
  });

  it("has no link and no mention that we did not make", async () => {
    await hold("slack", ({ text, blocks }) => {
      const written = [text, ...JSON.stringify(blocks).matchAll(/"type":"mrkdwn","text":"([^"]*)"/g)].map(
        String,
      );
      for (const one of written) {
        const links = one.match(/<[^>]*>/g) ?? [];
        for (const link of links) expect(link).toMatch(/^<https?:\/\/[^|<>]+\|[^<>]*>$/);
        expect(one.replaceAll(/<[^<>]*>/g, "")).not.toMatch(/[<>]/);
        expect(one).not.toMatch(/&(?!amp;|lt;|gt;)/);
      }
    });
  });
});

describe("what Discord is sent", () => {
  it("stays within its limits, and calls nobody", async () => {
    await hold("discord", ({ embeds, allowed_mentions }) => {
      expect(allowed_mentions).toEqual({ parse: [] });
      expect(embeds).toHaveLength(1);
      const [{ title, description = "", footer, url, color }] = embeds;
      expect(title.length).toBeLessThanOrEqual(256);
      expect(title.length).toBeGreaterThan(0);
      expect(description.length).toBeLessThanOrEqual(4_096);
      expect(footer.text.length).toBeLessThanOrEqual(2_048);
      expect(title.length + description.length + footer.text.length).toBeLessThanOrEqual(6_000);
      expect(url.startsWith(PUBLIC_URL)).toBe(true);
      expect(color).toBeLessThanOrEqual(0xffffff);
    });
  });
});

describe("what Teams is sent", () => {
  it("is an adaptive card of at most 28 KB whose texts know no markup", async () => {
    await hold("teams", (body, text) => {
      expect(bytes(text)).toBeLessThanOrEqual(28_000);
      expect(body.type).toBe("message");
      const [{ contentType, content }] = body.attachments;
      expect(contentType).toBe("application/vnd.microsoft.card.adaptive");
      expect([content.type, content.version]).toEqual(["AdaptiveCard", "1.4"]);
      for (const block of content.body) {
        expect(block.type).toBe("RichTextBlock");
        for (const run of block.inlines)
          expect(run).toMatchObject({ type: "TextRun", text: expect.any(String) });
      }
      expect(content.actions[0].url.startsWith(PUBLIC_URL)).toBe(true);
    });
  });
});

describe("what Feishu is sent", () => {
  it("is a card of plain texts and at most 20 KB", async () => {
    await hold("feishu", (body, text) => {
      expect(bytes(text)).toBeLessThanOrEqual(20_000);
      expect(body.msg_type).toBe("interactive");
      const tags = [...text.matchAll(/"tag":"(\w+)","content"/g)].map(([, tag]) => tag);
      expect(new Set(tags)).toEqual(new Set(["plain_text"]));
      expect(body.card.header.title.content.length).toBeGreaterThan(0);
    });
  });
});

describe("what robots that know no escape are sent", () => {
  /** Links that we make, and nothing else in brackets. */
  const assertOwnLinks = (markdown: string) => {
    const rest = markdown.replaceAll(/\[[^[\]]*\]\(https?:\/\/[^()\s]+\)/g, "");
    expect(rest).not.toMatch(/[[\]`]/);
  };

  it("DingTalk: stays below 20,000 bytes, with no link that we did not make", async () => {
    await hold("dingtalk", (body, text, notice) => {
      expect(bytes(text)).toBeLessThanOrEqual(20_000);
      expect(body.msgtype).toBe("markdown");
      expect(body.markdown.title.length).toBeGreaterThan(0);
      expect(body.at).toEqual({ isAtAll: false });
      if (notice.kind === "alert") assertOwnLinks(body.markdown.text);
    });
  });

  it("WeCom: has at most 4,096 bytes, with no link, colour or mention that we did not make", async () => {
    await hold("wecom", (body, _, notice) => {
      const { content } = body.markdown;
      expect(bytes(content)).toBeLessThanOrEqual(4_096);
      expect(content.match(/<(?!\/?font)/)).toBeNull();
      expect(content.match(/<font/g)).toHaveLength(2);
      if (notice.kind === "alert") assertOwnLinks(content);
    });
  });
});

describe("what PagerDuty is sent", () => {
  it("stays within its limits", async () => {
    await hold("pagerduty", (body, text) => {
      expect(bytes(text)).toBeLessThanOrEqual(512_000);
      expect(body.routing_key).toMatch(/^[0-9a-zA-Z]{32}$/);
      expect(["trigger", "acknowledge", "resolve"]).toContain(body.event_action);
      expect(body.dedup_key.length).toBeLessThanOrEqual(255);
      expect(body.payload.summary.length).toBeLessThanOrEqual(1_024);
      expect(body.payload.summary.length).toBeGreaterThan(0);
      expect(["critical", "error", "warning", "info"]).toContain(body.payload.severity);
      expect(body.payload.source.length).toBeGreaterThan(0);
      expect(body.links[0].href.startsWith(PUBLIC_URL)).toBe(true);
    });
  });

  it("opens, is told of, and closes an incident by the alert's own key", async () => {
    const seen = [];
    for (const event of ["firing", "reminder", "acknowledged", "resolved"] as const) {
      const { body } = await bodyOf("pagerduty", anAlert({ event }));
      seen.push([body.event_action, body.dedup_key]);
    }
    const key = anAlert().dedupeKey;
    expect(seen).toEqual([
      ["trigger", key],
      ["trigger", key],
      ["acknowledge", key],
      ["resolve", key],
    ]);
  });
});

describe("what webhooks are sent", () => {
  it("stays below 20 kB, with a type of letters and dots", async () => {
    await hold("webhook", (body, text, notice) => {
      expect(bytes(text)).toBeLessThanOrEqual(20_000);
      expect(body.type).toMatch(/^[a-zA-Z0-9_.]+$/);
      expect(body.timestamp).toBe(notice.at);
      expect(body.data.words.title).toBeTypeOf("string");
      expect(body.data.url.startsWith(PUBLIC_URL)).toBe(true);
    });
  });

  it("has all facts of an alert", async () => {
    const { body } = await bodyOf("webhook", anAlert());
    const { view: _, kind: __, at, event: ___, ...facts } = anAlert();
    expect(body).toEqual({
      type: "alert.firing",
      timestamp: at,
      data: {
        ...facts,
        url: `${PUBLIC_URL}/p/default/busy-hours?model=claude-sonnet-4-5`,
        words: {
          title: "claude-sonnet-4-5: no room at the provider for 12.3 % of attempts",
          summary: "12.3 % (37 of 301 attempts) · since 29 Nov, 11:40 UTC · usual at this hour: 2 %",
          cause: "This model was crowded, not the provider.",
          doNow: "Ask the targets in this order: claude-haiku-4-5, gpt-5-mini.",
        },
      },
    });
  });

  it("Alertmanager's: fires until it is over, with the same fingerprint", async () => {
    await hold("alertmanager", (body, text) => {
      expect(bytes(text)).toBeLessThanOrEqual(100_000);
      expect([body.version, body.truncatedAlerts, body.receiver]).toEqual(["4", 0, "ops"]);
      const [alert] = body.alerts;
      expect(alert.status).toBe(body.status);
      expect(alert.fingerprint).toMatch(/^[0-9a-f]{16}$/);
      expect(Number.isNaN(Date.parse(alert.startsAt))).toBe(false);
      for (const value of Object.values(alert.labels)) expect(value).toBeTypeOf("string");
    });
    const firing = (await bodyOf("alertmanager", anAlert())).body;
    const over = (
      await bodyOf("alertmanager", anAlert({ event: "resolved", endedAt: "2026-11-29T12:00:00.000Z" }))
    ).body;
    expect([firing.status, firing.alerts[0].endsAt]).toEqual(["firing", "0001-01-01T00:00:00Z"]);
    expect([over.status, over.alerts[0].endsAt]).toEqual(["resolved", "2026-11-29T12:00:00.000Z"]);
    expect(over.alerts[0].fingerprint).toBe(firing.alerts[0].fingerprint);
    expect(over.groupKey).toBe(firing.groupKey);
  });
});
