import type { AlertNotice, TextNotice } from "../../server/contract/notice.ts";

/** An alert that fires; a test names what matters to it. */
export function anAlert(parts: Partial<AlertNotice> = {}): AlertNotice {
  return {
    kind: "alert",
    event: "firing",
    alert: 7,
    dedupeKey: "busyhour/default/rule/3/anthropic/claude-sonnet-4-5",
    project: { slug: "default", name: "Shop" },
    rule: { id: 3, name: "Far above usual" },
    severity: "critical",
    subject: { provider: "anthropic", model: "claude-sonnet-4-5", endpoint: "" },
    of: "attempts",
    outcomes: ["capacity"],
    k: 37,
    n: 301,
    value: 37 / 301,
    usual: 0.02,
    peak: 0.15,
    since: "2026-11-29T11:40:00.000Z",
    at: "2026-11-29T12:00:00.000Z",
    endedAt: null,
    folded: [],
    cause: { code: "model", params: {} },
    order: ["claude-haiku-4-5", "gpt-5-mini"],
    view: "/p/default/busy-hours?model=claude-sonnet-4-5",
    ...parts,
  };
}

export function aText(parts: Partial<TextNotice> = {}): TextNotice {
  return {
    kind: "text",
    event: "report",
    project: { slug: "default", name: "Shop" },
    severity: "info",
    text: {
      en: { title: "The week of 23 November", markdown: "**1,204** requests, 98.1 % answered." },
      zh: { title: "11 月 23 日的一周", markdown: "**1,204** 个请求，98.1% 得到回答。" },
    },
    data: { requests: 1204 },
    at: "2026-11-29T12:00:00.000Z",
    view: "/p/default/reports/2026-11-23",
    ...parts,
  };
}
