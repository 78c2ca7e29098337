import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { betaCdf, betaQuantile } from "./beta.ts";
import { createWall, type DayHour, mondayOf, toDayHours, WEEK_HOURS, weekdayOf } from "./day-hours.ts";
import { correlationWithin, pseudoErrors, shrunkRatio } from "./dispersion.ts";
import { estimateProfile } from "./estimate-profile.ts";
import { shapeOf, weighEvidence } from "./evidence.ts";
import { hourRatios, siblingRatios } from "./hour-ratios.ts";
import { predictInterval, spreadOf } from "./predict-share.ts";
import { judgeRepeatability } from "./repeatability.ts";

const HOUR = 3_600_000;
/** A Monday. */
const START = Date.UTC(2026, 6, 6) / 86_400_000;
const END = START + 28;

/** Four weeks of hours with so many calls each and a share by day and hour. */
function weeks(shareAt: (day: number, hour: number) => number, n = 50, days = 28): DayHour[] {
  return Array.from({ length: days * 24 }, (_, i) => {
    const [day, hour] = [START + Math.floor(i / 24), i % 24];
    return { day, hour, n, k: Math.round(n * shareAt(day, hour)) };
  });
}

const busyAfternoons = (_: number, hour: number) => (hour >= 12 && hour < 18 ? 0.2 : 0.02);

describe("day hours", () => {
  it("add quarter-hours up on the wall, and keep gaps as gaps", () => {
    const wall = createWall("Asia/Kathmandu"); // 5 hours 45 minutes ahead
    const at = (iso: string) => Date.parse(iso);
    const hours = toDayHours(
      [
        { startMs: at("2026-07-06T18:00:00Z"), k: 1, n: 4 },
        { startMs: at("2026-07-06T18:15:00Z"), k: 2, n: 5 },
        { startMs: at("2026-07-06T18:30:00Z"), k: 0, n: 0 },
        { startMs: at("2026-07-06T20:00:00Z"), k: 0, n: 3 },
      ],
      wall,
    );
    expect(hours).toEqual([
      { day: START, hour: 23, k: 1, n: 4 },
      { day: START + 1, hour: 0, k: 2, n: 5 },
      { day: START + 1, hour: 1, k: 0, n: 3 },
    ]);
  });

  it("put both hours of one name together where clocks go back", () => {
    const startMs = Date.parse("2026-10-25T00:00:00Z"); // 02:00 in Berlin, twice
    const hours = toDayHours(
      [startMs, startMs + HOUR].map((ms) => ({ startMs: ms, k: 1, n: 2 })),
      createWall("Europe/Berlin"),
    );
    expect(hours).toMatchObject([{ hour: 2, k: 2, n: 4 }]);
  });

  it("know Mondays", () => {
    expect([weekdayOf(START), weekdayOf(START + 6), mondayOf(START + 6)]).toEqual([0, 6, START]);
  });
});

describe("dispersion", () => {
  it("finds none where calls fail by chance, and all of it where hours fail as a whole", () => {
    // 1 of 2 in every unit at an expected half: squares are 0, less than chance makes.
    expect(correlationWithin([{ k: 1, n: 2, expected: 0.5 }])).toBe(1e-4);
    const whole = [0, 10].map((k) => ({ k, n: 10, expected: 0.5 }));
    // By hand: squares 2 · 25 / 10 = 5, chance 2 · 0.25 = 0.5, scale 2 · 0.25 · 9 = 4.5.
    expect(correlationWithin(whole)).toBeCloseTo(0.9);
    expect(correlationWithin([{ k: 1, n: 1, expected: 0.5 }], 0.3)).toBe(0.3);
  });

  it("draws ratios toward 1, never past it, and less the more was seen", () => {
    const ratio = fc.tuple(
      fc.double({ min: 0, max: 1e4, noNaN: true }),
      fc.double({ min: 0.01, max: 1e4, noNaN: true }),
      fc.double({ min: 0.1, max: 500, noNaN: true }),
    );
    fc.assert(
      fc.property(ratio, ([errors, expected, pseudo]) => {
        const raw = errors / expected;
        const drawn = shrunkRatio({ errors, expected }, pseudo);
        expect(drawn).toBeGreaterThanOrEqual(Math.min(1, raw) - 1e-9);
        expect(drawn).toBeLessThanOrEqual(Math.max(1, raw) + 1e-9);
        const more = shrunkRatio({ errors: 10 * errors, expected: 10 * expected }, pseudo);
        expect(Math.abs(more - raw)).toBeLessThanOrEqual(Math.abs(drawn - raw) + 1e-9);
      }),
    );
  });

  it("draws strongly where groups differ by chance only", () => {
    expect(
      pseudoErrors([
        { errors: 9, expected: 10 },
        { errors: 11, expected: 10 },
      ]),
    ).toBe(500);
    // By hand: 2 · (81 − 10) = 142 over 200.
    expect(
      pseudoErrors([
        { errors: 1, expected: 10 },
        { errors: 19, expected: 10 },
      ]),
    ).toBeCloseTo(200 / 142);
  });
});

describe("the beta distribution", () => {
  it("is that of the textbook", () => {
    expect(betaCdf(0.3, 1, 1)).toBeCloseTo(0.3, 10);
    expect(betaCdf(0.3, 2, 1)).toBeCloseTo(0.09, 10);
    expect(betaCdf(0.5, 7, 7)).toBeCloseTo(0.5, 10);
    expect(betaCdf(0.1, 0.5, 20)).toBeCloseTo(0.957, 2);
    expect(betaQuantile(0.05, 1, 2)).toBeCloseTo(1 - Math.sqrt(0.95), 8);
  });
});

const anyHours = fc.array(
  fc.record({
    day: fc.integer({ min: START, max: END - 1 }),
    hour: fc.integer({ min: 0, max: 23 }),
    n: fc.integer({ min: 1, max: 5000 }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
  }),
  { maxLength: 300 },
);

describe("the profile", () => {
  it("has 168 shares within (0, 1) and traffic that sums to 1, whatever was seen", () => {
    fc.assert(
      fc.property(anyHours, (raw) => {
        const hours = raw.map(({ share, n, ...at }) => ({ ...at, n, k: Math.round(n * share) }));
        const { rates, traffic } = estimateProfile(hours, END);
        expect(rates).toHaveLength(WEEK_HOURS);
        for (const rate of rates) {
          expect(rate).toBeGreaterThan(0);
          expect(rate).toBeLessThan(1);
        }
        expect(traffic.reduce((a, b) => a + b, 0)).toBeCloseTo(1);
      }),
      { numRuns: 100 },
    );
  });

  it("comes to what is seen as calls become many", () => {
    const { rates } = estimateProfile(weeks(busyAfternoons, 2000), END);
    // Away from the edges, where neighbours take part.
    expect(rates[15]).toBeCloseTo(0.2, 1);
    expect(rates[3]).toBeLessThan(0.03);
    expect(rates[5 * 24 + 15]).toBeCloseTo(0.2, 1);
  });

  it("says of hours that were never called what the same hour of other days says", () => {
    const hours = weeks(busyAfternoons).filter(({ day }) => weekdayOf(day) !== 2);
    const { rates, calls } = estimateProfile(hours, END);
    expect(calls[2 * 24 + 15]).toBe(0);
    expect(rates[2 * 24 + 15] ?? 0).toBeGreaterThan(5 * (rates[2 * 24 + 3] ?? 1));
  });

  it("tells weekends from weekdays", () => {
    const hours = weeks((day, hour) => (weekdayOf(day) < 5 ? busyAfternoons(day, hour) : 0.02));
    const { rates } = estimateProfile(hours, END);
    expect(rates[15] ?? 0).toBeGreaterThan(2.5 * (rates[5 * 24 + 15] ?? 1));
  });

  it("is not turned by one bad day with ten thousand times the calls", () => {
    const outage = Array.from({ length: 24 }, (_, hour) => ({
      day: END - 3,
      hour,
      n: 500_000,
      k: hour < 6 ? 450_000 : 5_000,
    }));
    const hours = [...weeks(busyAfternoons).filter(({ day }) => day !== END - 3), ...outage];
    const ratios = hourRatios(shapeOf(weighEvidence(hours, END).hours), null);
    expect(ratios[15] ?? 0).toBeGreaterThan(ratios[3] ?? 9);
  });

  it("is helped by the same model elsewhere where it has little of its own", () => {
    const elsewhere = shapeOf(weighEvidence(weeks(busyAfternoons, 200), END).hours);
    const own = weeks(() => 0.05, 2, 3);
    const siblings = siblingRatios([elsewhere]);
    const alone = estimateProfile(own, END).rates;
    const helped = estimateProfile(own, END, siblings).rates;
    expect((helped[15] ?? 0) / (helped[3] ?? 1)).toBeGreaterThan(1.5 * ((alone[15] ?? 0) / (alone[3] ?? 1)));
  });
});

describe("repeatability", () => {
  it("is seen where days are alike", () => {
    const found = judgeRepeatability(weighEvidence(weeks(busyAfternoons), END), END, null);
    expect(found).toMatchObject({ weeksWon: 4, weeksHeld: 4, repeats: true });
    expect(found.score).toBeGreaterThan(4);
  });

  it("is not seen in bad hours that wander, nor in bad days", () => {
    const wandering = weeks((day, hour) => ((hour + 7 * (day - START)) % 24 < 6 ? 0.2 : 0.02));
    expect(judgeRepeatability(weighEvidence(wandering, END), END, null).repeats).toBe(false);
    const badDays = weeks((day) => ((day - START) % 9 === 0 ? 0.3 : 0.02));
    expect(judgeRepeatability(weighEvidence(badDays, END), END, null).repeats).toBe(false);
  });

  it("finds a pattern in at most about one in ten series of chance", () => {
    let seed = 7;
    const random = () => {
      seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
      return seed / 2 ** 32;
    };
    let found = 0;
    for (let i = 0; i < 100; i++) {
      const hours = weeks(() => (random() < 0.1 ? 0.5 * random() : 0.02));
      if (judgeRepeatability(weighEvidence(hours, END), END, null).repeats) found++;
    }
    expect(found).toBeLessThanOrEqual(12);
  });

  it("is not seen without calls", () => {
    expect(judgeRepeatability(weighEvidence([], END), END, null).repeats).toBe(false);
  });
});

describe("the interval", () => {
  it("holds what is expected, and is wider the worse earlier weeks were told", () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-4, max: 0.95, noNaN: true }),
        fc.double({ min: 1e-5, max: 0.5, noNaN: true }),
        (expected, spread) => {
          const { low, high } = predictInterval(expected, spread);
          expect(low).toBeGreaterThanOrEqual(0);
          expect(high).toBeLessThanOrEqual(1);
          expect(low).toBeLessThanOrEqual(expected);
          expect(high).toBeGreaterThanOrEqual(expected);
        },
      ),
    );
    const told = spreadOf([{ hoursSeen: 168, predictions: [{ expected: 0.1, k: 10, n: 100 }] }]);
    const untold = spreadOf([{ hoursSeen: 168, predictions: [{ expected: 0.1, k: 40, n: 100 }] }]);
    expect(untold).toBeGreaterThan(told);
    // By hand: (2 · 0.011 + 0.09 / 0.09) / 3.
    expect(untold).toBeCloseTo(1.022 / 3);
    expect(predictInterval(0.1, untold).high).toBeGreaterThan(predictInterval(0.1, told).high);
  });
});
