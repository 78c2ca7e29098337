import type { Counting } from "./counting.ts";
import { type Figures, type FiringAlert, isWide, listFolded } from "./firing-alert.ts";
import type { Finding } from "./judge-rule.ts";

/** What a rule that is switched on found, with how it counts. */
export interface CountedFinding extends Finding {
  readonly counting: Counting;
}

/**
 * Brings alerts up to what rules found: new ones begin, others take the new figures, and those of groups that are in
 * trouble no more, or whose rule is gone, are off.
 *
 * Changes `alerts`.
 */
export function takeFindings(
  alerts: FiringAlert[],
  findings: readonly CountedFinding[],
  nowMs: number,
): void {
  const keyOf = (ruleId: number, groupKey: string) => `${ruleId} ${groupKey}`;
  const byKey = new Map(findings.map((one) => [keyOf(one.rule.id, one.groupKey), one]));
  const known = new Map(alerts.map((one) => [keyOf(one.ruleId, one.groupKey), one]));
  for (const alert of alerts) {
    const finding = byKey.get(keyOf(alert.ruleId, alert.groupKey));
    if (finding?.life.phase === "firing") take(alert, finding, nowMs);
    else if (alert.isOn) {
      alert.isOn = false;
      alert.offMs = finding?.life.clearSinceMs ?? nowMs;
    }
  }
  for (const [key, finding] of byKey) {
    if (finding.life.phase === "firing" && !known.has(key)) alerts.push(begin(finding, nowMs));
  }
}

function begin(finding: CountedFinding, nowMs: number): FiringAlert {
  const { rule, groupKey, subject, counting, life } = finding;
  const own = figuresOf(finding);
  return {
    id: null,
    ruleId: rule.id,
    ruleName: rule.name,
    severity: rule.severity,
    groupBy: rule.groupBy,
    groupKey,
    subject,
    of: counting.of,
    outcomes: counting.outcomes,
    channels: rule.channels,
    remindHours: rule.remindHours,
    own,
    figures: own,
    peak: own.value,
    sinceMs: Math.min(life.sinceMs ?? nowMs, nowMs),
    firedMs: nowMs,
    toldMs: null,
    toldAgainMs: null,
    seenMs: nowMs,
    endedMs: null,
    acknowledgedMs: null,
    muted: null,
    foldedUnder: null,
    explanation: { cause: null, order: null },
    isOn: true,
    offMs: nowMs,
    isEasing: false,
    isWidened: false,
  };
}

function take(alert: FiringAlert, finding: CountedFinding, nowMs: number): void {
  const { rule } = finding;
  alert.isOn = true;
  alert.isEasing = finding.life.clearSinceMs !== null;
  // Once it is clear again, what was last bad is what there is to tell: the calls after it belong to no trouble.
  if (!alert.isEasing) alert.own = figuresOf(finding);
  alert.seenMs = nowMs;
  alert.ruleName = rule.name;
  alert.severity = rule.severity;
  alert.channels = rule.channels;
  alert.remindHours = rule.remindHours;
}

function figuresOf({ judgement: { k, n, value, usual } }: CountedFinding): Figures {
  return { k, n, value, usual };
}

/** An alert of a whole provider has the calls of all its models. */
export function sumFigures(alerts: readonly FiringAlert[], alert: FiringAlert): void {
  const parts = isWide(alert)
    ? [alert, ...listFolded(alerts, alert)].filter((one) => one.isOn && one.ruleId === alert.ruleId)
    : [alert];
  if (parts.length === 0) return;
  alert.figures = parts.length === 1 ? (parts[0] as FiringAlert).own : addUp(parts.map(({ own }) => own));
  const { value } = alert.figures;
  if (value !== null) alert.peak = Math.max(alert.peak ?? value, value);
}

function addUp(all: readonly Figures[]): Figures {
  const k = all.reduce((sum, one) => sum + one.k, 0);
  const n = all.reduce((sum, one) => sum + one.n, 0);
  const isKnown = all.every(({ usual }) => usual !== null);
  const expected = all.reduce((sum, one) => sum + one.n * (one.usual ?? 0), 0);
  return { k, n, value: n === 0 ? null : k / n, usual: isKnown && n > 0 ? expected / n : null };
}
