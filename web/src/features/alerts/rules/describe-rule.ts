import type { AlertRuleInput } from "../../../../../server/contract/alert-rule.ts";
import { nameSubject, type Tongue } from "../describe-alert.ts";

/** When a rule fires, as a sentence without its end. */
export function describeRule(rule: AlertRuleInput, tongue: Tongue): string {
  const { when, groups } = tongue.words;
  const { where, groupBy } = rule;
  const parts = [sayCondition(rule, tongue), when.per(groups[groupBy])];
  if (Object.keys(where).length > 0) parts.push(when.only(nameSubject(where, tongue.words)));
  return parts.join(" · ");
}

function sayCondition({ condition, measure }: AlertRuleInput, { words, formats, outcomes }: Tongue): string {
  const { when } = words;
  const what =
    measure.of === "degraded"
      ? when.degraded
      : when[measure.of](measure.outcomes.map((outcome) => outcomes[outcome]).join(", "));
  switch (condition.kind) {
    case "share":
      return when.share(
        what,
        formats.share(condition.above),
        when.minutes(condition.windowMinutes),
        formats.count(condition.minCalls),
      );
    case "count":
      return when.count(what, formats.count(condition.atLeast), when.minutes(condition.windowMinutes));
    case "learnt":
    case "fastRise":
      return when[condition.kind](what);
    case "burnRate":
      return when.burnRate(what, formats.share(1 - condition.objective));
    case "silent":
      return when.silent(when.minutes(condition.forMinutes));
    case "amplification":
      return when.amplification(formats.rate(condition.above), when.minutes(condition.windowMinutes));
  }
}
