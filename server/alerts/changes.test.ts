import { describe, expect, it } from "vitest";
import type { AlertRuleInput } from "../contract/alert-rule.ts";
import { countingOf } from "./counting.ts";
import { NEW_LIFE } from "./detect/life.ts";
import { type FiringAlert, listFolded } from "./firing-alert.ts";
import { listMutings, type Muting } from "./mute.ts";
import { settleAlerts } from "./settle-alerts.ts";
import { groupOf, type Subject } from "./subject.ts";
import { type CountedFinding, takeFindings } from "./take-findings.ts";
import { toNotice } from "./to-notice.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

const RULE: AlertRuleInput & { id: number } = {
  id: 1,
  name: "Short of room",
  isEnabled: true,
  severity: "warning",
  measure: { of: "attempts", outcomes: ["capacity"] },
  condition: { kind: "learnt" },
  where: {},
  groupBy: "target",
  pendingMinutes: 0,
  remindHours: 4,
  channels: null,
};

type Parts = Subject & { rule?: Partial<typeof RULE>; k?: number; n?: number; over?: number };

/** What a rule finds of `acme/large`, or of what is named; `over`: it was over then. */
function find({ rule, k = 10, n = 100, over, ...subject }: Parts = {}): CountedFinding {
  const whole = { ...RULE, ...rule };
  const name = { provider: "acme", model: "large", endpoint: "", source: "", chain: "", ...subject };
  const group = groupOf(name, whole);
  if (group === null) throw new Error("the rule is not about it");
  return {
    rule: whole,
    groupKey: group.key,
    subject: group.subject,
    counting: countingOf(whole),
    life: {
      ...NEW_LIFE,
      phase: over === undefined ? "firing" : "quiet",
      sinceMs: 0,
      clearSinceMs: over ?? null,
    },
    judgement: { verdict: "fires", sinceMs: 0, k, n, value: k / n, usual: 0.02 },
  };
}

/** The models of acme that are called; three when left out. */
const CALLED = ["large", "small", "tiny"].map((model) => ({ provider: "acme", model }));

/** Runs as the job does them, without a database. */
function createRuns() {
  const alerts: FiringAlert[] = [];
  let ids = 0;
  return {
    alerts,
    run(nowMs: number, findings: CountedFinding[], { mutings = [] as Muting[], called = CALLED } = {}) {
      takeFindings(alerts, findings, nowMs);
      const tellings = settleAlerts(alerts, mutings, called, nowMs);
      for (const alert of alerts) alert.id ??= ++ids;
      const told = tellings.map(({ alert, event }) => toNotice(PROJECT, alert, alerts, event, nowMs));
      for (const alert of [...alerts]) {
        alert.isWidened = false;
        if (alert.endedMs !== null) alerts.splice(alerts.indexOf(alert), 1);
      }
      return told.map(
        ({ alert, event, subject }) => `${alert} ${event} ${subject.model ?? subject.provider}`,
      );
    },
  };
}

const PROJECT = { id: 1, slug: "default", name: "Default" };

describe("what is told", () => {
  it("is that it fires, that it goes on every so often, and that it is over", () => {
    const { run } = createRuns();
    expect(run(0, [find()])).toEqual(["1 firing large"]);
    expect(run(MINUTE, [find()])).toEqual([]);
    expect(run(4 * HOUR - 1, [find()])).toEqual([]);
    expect(run(4 * HOUR, [find()])).toEqual(["1 reminder large"]);
    expect(run(8 * HOUR - 1, [find()])).toEqual([]);
    expect(run(8 * HOUR, [find()])).toEqual(["1 reminder large"]);
    expect(run(9 * HOUR, [find({ over: 8.5 * HOUR })])).toEqual(["1 resolved large"]);
    expect(run(10 * HOUR, [])).toEqual([]);
  });

  it("is no reminder where nobody wants one, somebody is at it, or it may be over", () => {
    const { run, alerts } = createRuns();
    const never = { rule: { remindHours: null } };
    run(0, [find(never), find({ rule: { id: 2 }, provider: "other" })]);
    for (const alert of alerts) alert.acknowledgedMs = alert.ruleId === 2 ? MINUTE : null;
    expect(run(9 * HOUR, [find(never), find({ rule: { id: 2 }, provider: "other" })])).toEqual([]);
    for (const alert of alerts) alert.acknowledgedMs = null;
    const easing = find({ rule: { id: 2 }, provider: "other" });
    const life = { ...easing.life, clearSinceMs: 9 * HOUR };
    expect(run(10 * HOUR, [find(never), { ...easing, life }])).toEqual([]);
  });

  it("is the end of an alert whose rule is gone", () => {
    const { run, alerts } = createRuns();
    run(0, [find()]);
    expect(run(HOUR, [])).toEqual(["1 resolved large"]);
    expect(alerts).toEqual([]);
  });

  it("is when it was over, not when that was found", () => {
    const { run, alerts } = createRuns();
    run(0, [find()]);
    const [alert] = alerts;
    run(HOUR, [find({ over: HOUR / 2 })]);
    expect(alert?.endedMs).toBe(HOUR / 2);
  });

  it("has the figures of when it was last bad, whatever comes once it is clear", () => {
    const { run, alerts } = createRuns();
    run(0, [find({ k: 40 })]);
    const easing = find({ k: 41, n: 2_000 });
    run(MINUTE, [{ ...easing, life: { ...easing.life, clearSinceMs: MINUTE } }]);
    expect(alerts).toMatchObject([{ figures: { k: 40, n: 100, value: 0.4 } }]);
    run(2 * MINUTE, [find({ k: 60 })]);
    expect(alerts).toMatchObject([{ figures: { k: 60, n: 100, value: 0.6 } }]);
  });

  it("has the highest value as its peak", () => {
    const { run, alerts } = createRuns();
    for (const k of [10, 40, 20]) run(0, [find({ k })]);
    expect(alerts).toMatchObject([{ peak: 0.4, figures: { k: 20, n: 100, value: 0.2 } }]);
  });
});

describe("folding", () => {
  const fast = { id: 2, name: "Jump", condition: { kind: "fastRise" } as const };

  it("tells the same trouble of two rules once, until both find it over", () => {
    const { run, alerts } = createRuns();
    expect(run(0, [find(), find({ rule: fast })])).toEqual(["1 firing large"]);
    expect(alerts.map(({ foldedUnder }) => foldedUnder?.id ?? null)).toEqual([null, 1]);
    expect(run(HOUR, [find({ over: HOUR }), find({ rule: fast })])).toEqual([]);
    expect(run(2 * HOUR, [find({ rule: fast, over: 2 * HOUR })])).toEqual(["1 resolved large"]);
  });

  it("does not hide what is more severe, nor what counts something else", () => {
    const { run } = createRuns();
    run(0, [find()]);
    expect(run(MINUTE, [find(), find({ rule: { ...fast, severity: "critical" } })])).toEqual([
      "2 firing large",
    ]);
    const timeouts = { id: 3, measure: { ...RULE.measure, outcomes: ["timeout"] } } as Partial<typeof RULE>;
    expect(run(2 * MINUTE, [find(), find({ rule: timeouts })])).toContain("3 firing large");
  });

  it("puts a model under its provider, and nothing under everything", () => {
    const { run } = createRuns();
    const provider = { rule: { id: 5, groupBy: "provider" } } as const;
    const all = { rule: { id: 6, groupBy: "all" } } as const;
    expect(run(0, [find(provider), find(all)])).toEqual(["1 firing acme", "2 firing undefined"]);
    expect(run(1, [find(provider), find(all), find()])).toEqual([]);
    const other = find({ provider: "other" });
    expect(run(2, [find(provider), find(all), find(), other])).toEqual(["4 firing large"]);
  });

  it("makes two models of three their provider's, and tells so once", () => {
    const { run, alerts } = createRuns();
    expect(run(0, [find({ k: 10 })])).toEqual(["1 firing large"]);
    const both = [find({ k: 10 }), find({ model: "small", k: 50 })];
    expect(run(MINUTE, both)).toEqual(["1 reminder acme"]);
    const [teller] = alerts as [FiringAlert];
    expect(teller.figures).toEqual({ k: 60, n: 200, value: 0.3, usual: 0.02 });
    const notice = toNotice(PROJECT, teller, alerts, "reminder", MINUTE);
    expect(notice.folded.map(({ model }) => model)).toEqual(["large", "small"]);
    expect(run(2 * MINUTE, [...both, find({ model: "tiny" })])).toEqual([]);
    // It goes on for the others when the first one is over.
    expect(run(HOUR, [find({ over: HOUR }), find({ model: "small" }), find({ model: "tiny" })])).toEqual([]);
    expect(run(2 * HOUR, [find({ model: "tiny" })])).toEqual([]);
    expect(run(3 * HOUR, [find({ model: "tiny", over: 3 * HOUR })])).toEqual(["1 resolved acme"]);
  });

  it("tells models that fail at once as their provider, once", () => {
    const { run } = createRuns();
    expect(
      run(
        0,
        CALLED.map(({ model }) => find({ model })),
      ),
    ).toEqual(["1 firing acme"]);
  });

  it("leaves two models of five alone, and two endpoints of one", () => {
    const { run, alerts } = createRuns();
    const called = ["large", "small", "a", "b", "c"].map((model) => ({ provider: "acme", model }));
    const two = [find(), find({ model: "small" })];
    expect(run(0, two, { called })).toEqual(["1 firing large", "2 firing small"]);
    expect(run(1, [...two, find({ endpoint: "eu" })], { called })).toEqual(["3 firing large"]);
    expect(alerts.every(({ foldedUnder }) => foldedUnder === null)).toBe(true);
    // The third makes it the provider's: what was told before is told when it is over, too.
    expect(run(2, [...two, find({ model: "a" })], { called })).toContain("1 reminder acme");
    expect(run(3, [find(), find({ model: "small", over: 3 }), find({ model: "a" })], { called })).toEqual([
      "2 resolved small",
    ]);
  });

  it("keeps apart what rules of other sources find", () => {
    const { run } = createRuns();
    const shop = { id: 8, where: { source: "shop" } };
    const chat = { id: 9, where: { source: "chat" } };
    const findings = [
      find({ rule: shop, source: "shop" }),
      find({ rule: chat, source: "chat", model: "small" }),
    ];
    expect(run(0, findings)).toEqual(["1 firing large", "2 firing small"]);
  });
});

describe("muting", () => {
  const mute = (where: Subject, ruleId: number | null = null): { mutings: Muting[] } => ({
    mutings: listMutings([{ id: 1, where, ruleId, untilMs: HOUR }], [], 0),
  });

  it("keeps channels from being told until it ends", () => {
    const { run } = createRuns();
    expect(run(0, [find()], mute({ model: "large" }))).toEqual([]);
    expect(run(HOUR, [find()])).toEqual(["1 firing large"]);
  });

  it("of what is over before it ends is all that is ever told", () => {
    const { run } = createRuns();
    run(0, [find()], mute({}));
    expect(run(MINUTE, [find({ over: MINUTE })], mute({}))).toEqual([]);
    expect(run(HOUR, [])).toEqual([]);
  });

  it("does not keep from whoever was told that it is over", () => {
    const { run } = createRuns();
    run(0, [find()]);
    expect(run(5 * HOUR, [find()], mute({}))).toEqual([]);
    expect(run(6 * HOUR, [find({ over: 6 * HOUR })], mute({}))).toEqual(["1 resolved large"]);
  });

  it("hides nothing else: neither another model nor another rule", () => {
    const { run, alerts } = createRuns();
    const other = { rule: { id: 2 } };
    expect(run(0, [find(), find({ model: "small" })], mute({ model: "large" }))).toEqual(["2 firing small"]);
    const later = createRuns();
    expect(later.run(0, [find(), find(other)])).toEqual(["1 firing large"]);
    expect(later.run(1, [find(), find(other)], mute({}, 1))).toEqual(["2 firing large"]);
    expect(listFolded(alerts, alerts[0] as FiringAlert)).toEqual([]);
  });

  it("matches by all of its parts", () => {
    for (const where of [{ provider: "other" }, { model: "large", endpoint: "eu" }, { source: "shop" }]) {
      expect(createRuns().run(0, [find()], mute(where))).toEqual(["1 firing large"]);
    }
  });

  it("holds until its time, which is not in it", () => {
    const silences = [{ id: 1, where: {}, ruleId: null, untilMs: HOUR }];
    expect(listMutings(silences, [], HOUR - 1)).toHaveLength(1);
    expect(listMutings(silences, [], HOUR)).toEqual([]);
  });
});
