import { describe, expect, it } from "vitest";
import { toCell } from "../capacity/cell.ts";
import { findCause, listRemedies } from "./conclude.ts";
import type { Findings } from "./finding.ts";
import { judgeConcurrency } from "./judge-concurrency.ts";
import { judgeElsewhere, judgeScope, type TargetState } from "./judge-others.ts";
import { judgeAttempts, judgeKind, judgeTraffic } from "./judge-own.ts";
import { createTongue, wordsOf } from "./words/words.ts";

const usual = toCell(2, 100);

describe("what kind of failure it was", () => {
  it.each([
    ["capacity", { ok: 80, capacity: 20 }, "capacity"],
    ["other", { ok: 80, capacity: 5, rate_limit: 15 }, "rate_limit"],
    ["none", { ok: 99, capacity: 1 }, "capacity"],
    ["none", { ok: 100 }, null],
    // A caller who cancels has not failed.
    ["none", { ok: 60, cancelled: 40 }, null],
    ["tooFew", { ok: 10, capacity: 9 }, "capacity"],
    // The caller's own faults are no part of the share, but they are most of what failed.
    ["other", { ok: 40, capacity: 5, auth: 60 }, "auth"],
  ] as const)("is %s of %o", (verdict, counts, leading) => {
    expect(judgeKind(counts, usual)).toMatchObject({ verdict, leading });
  });
});

describe("own traffic", () => {
  it.each([
    [300, [100, 110, 90], "grew"],
    [120, [100, 110, 90], "usual"],
    [30, [100, 110, 90], "fell"],
    // Twice as many, but of four.
    [8, [4], "usual"],
    [8, [], "unknown"],
  ] as const)("of %d after %o", (now, weeks, verdict) => {
    expect(judgeTraffic(now, 2, weeks)).toMatchObject({ verdict, perHour: now / 2, weeks: weeks.length });
  });
});

describe("own attempts", () => {
  const layer = (source: string, requests: number, attempts: number, unlinked = 0) => {
    return { source, chain: "", requests, attempts, unlinked };
  };

  it("are a storm from half as many repeats as requests on, and who repeats is told", () => {
    const found = judgeAttempts([layer("web", 100, 110), layer("batch", 50, 130)], [layer("web", 100, 100)]);
    expect(found).toMatchObject({ verdict: "storm", perRequest: 1.6, usualPerRequest: 1 });
    expect(found.layers.map(({ source }) => source)).toEqual(["batch", "web"]);
    expect(judgeAttempts([layer("web", 100, 149)], []).verdict).toBe("normal");
  });

  it("are not known where most attempts name no request", () => {
    expect(judgeAttempts([layer("otel", 20, 20, 200)], [])).toMatchObject({
      verdict: "unknown",
      unlinked: 200,
    });
    expect(judgeAttempts([], [])).toMatchObject({ verdict: "unknown", perRequest: null });
  });
});

describe("own calls at once", () => {
  const levels = (shareAt: (inFlight: number) => number) =>
    Array.from({ length: 10 }, (_, inFlight) => ({ inFlight, n: 40, k: Math.round(40 * shareAt(inFlight)) }));

  it("are too many from the level on at which errors begin", () => {
    // Six under way and the new one are seven.
    expect(judgeConcurrency(levels((inFlight) => (inFlight >= 6 ? 0.4 : 0.025)))).toMatchObject({
      verdict: "tooHigh",
      level: 7,
      below: { k: 6, n: 240 },
      from: { k: 64, n: 160 },
      atOnceP50: 5,
      atOnceMost: 10,
    });
  });

  it("are innocent where errors come at any number, and unknown where nobody says", () => {
    expect(judgeConcurrency(levels(() => 0.3))).toMatchObject({ verdict: "innocent", level: null });
    expect(judgeConcurrency(levels((inFlight) => 0.15 + inFlight / 50)).verdict).toBe("innocent");
    expect(judgeConcurrency([{ inFlight: 0, k: 10, n: 30 }]).verdict).toBe("unknown");
    expect(judgeConcurrency([])).toMatchObject({ verdict: "unknown", atOnceMost: null });
  });
});

const target = (name: string, k: number, parts: Partial<TargetState> = {}): TargetState => {
  const [provider = "", model = "", endpoint = ""] = name.split("/");
  return { provider, model, endpoint, capacity: toCell(k, 100), usual, isAsked: false, ...parts };
};
const asked = target("acme/large", 30, { isAsked: true });

describe("how far it reached", () => {
  it.each([
    ["model", [asked, target("acme/small", 1), target("other/big", 1)]],
    ["endpoint", [target("acme/large/eu", 30, { isAsked: true }), target("acme/large/us", 1)]],
    ["provider", [asked, target("acme/small", 25), target("acme/tiny", 1), target("other/big", 1)]],
    ["everything", [asked, target("acme/small", 1), target("other/big", 20)]],
    ["unknown", [asked, target("other/big", 1, { capacity: toCell(0, 5) })]],
    ["nothing", [{ ...asked, capacity: toCell(1, 100) }, target("other/big", 20)]],
  ] as const)("%s", (verdict, targets) => {
    expect(judgeScope(targets).verdict).toBe(verdict);
  });

  it("is told by the names of what it reached, and of no others that were short too", () => {
    const far = [target("other/big", 20), target("third/one", 1)];
    const tongue = createTongue("en", "UTC");
    const saysOf = (targets: TargetState[]) => wordsOf("en").scope(judgeScope(targets), tongue);
    expect(saysOf([asked, target("acme/small", 25), ...far])).toMatch(/^The provider: .*large.*small/);
    expect(saysOf([asked, target("acme/small", 25), ...far])).not.toContain("big");
    const model = saysOf([asked, target("acme/small", 1), target("acme/tiny", 1), ...far]);
    expect([model.includes("large"), model.includes("big")]).toEqual([true, false]);
  });
});

describe("elsewhere", () => {
  const range = { fromMs: 36_000_000, toMs: 43_200_000 };
  const hour = (at: number, k: number, n = 100) => {
    return { fromMs: at * 3_600_000, toMs: (at + 1) * 3_600_000, capacity: toCell(k, n) };
  };

  it("names the target with most room and the nearest hour that had room", () => {
    const hours = [hour(5, 0), hour(8, 1), hour(9, 20), hour(10, 0), hour(14, 0)];
    const found = judgeElsewhere(
      asked.capacity,
      [asked, target("acme/small", 3), target("o/b", 1)],
      hours,
      range,
      null,
    );
    expect(found).toMatchObject({ verdict: "both", model: { model: "b" } });
    // The hour from 08:00 ends an hour before the range; the one at 10:00 is in it.
    expect(found.hour?.from).toBe("1970-01-01T08:00:00.000Z");
  });

  it("names none that is hardly better or was hardly called", () => {
    const others = [asked, target("acme/small", 20), target("o/b", 0, { capacity: toCell(0, 8) })];
    expect(judgeElsewhere(asked.capacity, others, [hour(9, 20)], range, null)).toMatchObject({
      verdict: "neither",
      model: null,
      hour: null,
    });
  });
});

const innocent: Findings = {
  kind: judgeKind({ ok: 70, capacity: 30 }, usual),
  traffic: judgeTraffic(100, 1, [100]),
  attempts: judgeAttempts([], []),
  concurrency: judgeConcurrency([]),
  scope: judgeScope([asked, target("acme/small", 1)]),
  elsewhere: judgeElsewhere(
    asked.capacity,
    [asked, target("acme/small", 1)],
    [],
    { fromMs: 0, toMs: 1 },
    null,
  ),
};
const storm = judgeAttempts([{ source: "a", chain: "", requests: 20, attempts: 60, unlinked: 0 }], []);

describe("the conclusion", () => {
  it("is the first step that explains it", () => {
    expect(findCause(innocent)).toBe("model");
    expect(findCause({ ...innocent, attempts: storm })).toBe("ownRetries");
    expect(findCause({ ...innocent, attempts: storm, traffic: judgeTraffic(300, 1, [100]) })).toBe(
      "ownTraffic",
    );
    expect(findCause({ ...innocent, kind: judgeKind({ auth: 50, ok: 50 }, usual), attempts: storm })).toBe(
      "notCapacity",
    );
    const crowdedAsEver = judgeKind({ ok: 70, capacity: 30 }, toCell(280, 1_000));
    expect(findCause({ ...innocent, kind: crowdedAsEver })).toBe("asUsual");
    expect(findCause({ ...innocent, kind: crowdedAsEver, attempts: storm })).toBe("ownRetries");
    expect(findCause({ ...innocent, kind: judgeKind({ ok: 70, capacity: 30 }, toCell(3, 10)) })).toBe(
      "model",
    );
  });

  it("advises first what one's own calls do, then what is at hand", () => {
    expect(listRemedies({ ...innocent, attempts: storm }, 12)).toEqual(["retryLess", "useOther", "waitOut"]);
    const alone = { ...innocent, elsewhere: { ...innocent.elsewhere, model: null } };
    expect(listRemedies(alone, null)).toEqual(["addProvider"]);
    expect(listRemedies({ ...innocent, kind: judgeKind({ auth: 50 }, usual) }, 12)).toEqual(["mendFailure"]);
  });
});

describe("words", () => {
  it.each([
    ["en", "20.0 % (20 of 100)", /^A retry storm: 3\.00 attempts.*from a, outside of a router/],
    ["zh", "20.0%（20 / 100）", /^重试风暴：每个请求在此尝试 3\.00 次/],
  ] as const)("in %s", (locale, cell, attempts) => {
    const tongue = createTongue(locale, "UTC");
    expect(tongue.cell(toCell(20, 100))).toBe(cell);
    expect(wordsOf(locale).attempts(storm, tongue)).toMatch(attempts);
  });

  it("are there for every verdict and remedy in both languages", () => {
    const findings = { ...innocent, attempts: storm };
    for (const locale of ["en", "zh"] as const) {
      const [words, tongue] = [wordsOf(locale), createTongue(locale, "Asia/Shanghai")];
      const said = [
        ...Object.values(words.remedies).map((say) => say({ findings, recoveryMinutes: 9 }, tongue)),
        ...["capacity", "other", "none", "tooFew"].map((verdict) =>
          words.kind({ ...innocent.kind, verdict: verdict as "other" }, tongue),
        ),
        ...["endpoint", "model", "provider", "everything", "nothing", "unknown"].map((verdict) =>
          words.scope({ ...innocent.scope, verdict: verdict as "model" }, tongue),
        ),
      ];
      expect(said.filter((text) => /undefined|null|NaN/.test(text))).toEqual([]);
      expect(said.every((text) => locale === "en" || /\p{Script=Han}/u.test(text) || text === "")).toBe(true);
    }
  });
});
