import { createDetector } from "../../../server/alerts/detect/detector.ts";
import { lifeSettings, NEW_LIFE, stepLife } from "../../../server/alerts/detect/life.ts";
import type { Slot } from "../../../server/alerts/detect/types.ts";
import type { RuleCondition } from "../../../server/contract/alert-rule.ts";
import { poisson } from "./draws.ts";
import { createRandom, judge } from "./numbers.ts";

const SLOT_MS = 300_000;
const CONDITIONS: readonly RuleCondition[] = [
  { kind: "learnt" },
  { kind: "fastRise" },
  { kind: "share", above: 0.2, windowMinutes: 60, minCalls: 20 },
  { kind: "count", atLeast: 1, windowMinutes: 360 },
  { kind: "burnRate", objective: 0.99 },
  { kind: "silent", forMinutes: 60 },
  { kind: "amplification", above: 1.5, windowMinutes: 60, minCalls: 20 },
];

/** One look of all rules at all series, each with a slot that closes and one that is open, after six hours of calls. */
export function measureAlertCost(rules = 500, series = 200): void {
  const random = createRandom(1);
  const slotOf = (at: number): Slot => {
    const n = poisson(random, 20);
    return { startMs: at * SLOT_MS, n, k: poisson(random, 0.4) };
  };
  const usual = { share: 0.02, n: 1_000 };
  const settings = lifeSettings({ pendingMinutes: 0, remindHours: 4 });
  // Each rule has detectors of its own, but a state is shared by those of a kind: states are never changed.
  const detectors = Array.from({ length: rules }, (_, i) =>
    createDetector(CONDITIONS[i % 7] as RuleCondition),
  );
  const states = CONDITIONS.map((condition) => {
    const detector = createDetector(condition);
    let state = detector.start;
    for (let at = 0; at < 72; at++) state = detector.advance(state, slotOf(at), usual);
    return state;
  });
  const [closed, open] = [slotOf(72), slotOf(73)];
  const nowMs = 74 * SLOT_MS;
  let looks = 0;
  const look = () => {
    for (let at = 0; at < series; at++) {
      detectors.forEach((detector, rule) => {
        const state = detector.advance(states[rule % 7] ?? detector.start, closed, usual);
        stepLife(NEW_LIFE, detector.judge(state, open, usual, nowMs), settings, nowMs);
        looks++;
      });
    }
  };
  look();
  const before = process.cpuUsage();
  look();
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  console.log(
    `\n${rules} rules over ${series} series, ${looks / 2} looks: ${seconds.toFixed(2)} s of CPU ${judge(seconds < 1, "< 1 s")}`,
  );
}
