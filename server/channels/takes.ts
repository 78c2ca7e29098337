import type { Severity } from "../contract/alert-rule.ts";
import type { ChannelKind } from "../contract/channel.ts";
import type { Notice } from "../contract/notice.ts";

const WEIGHT: Readonly<Record<Severity, number>> = { info: 0, warning: 1, critical: 2 };

/** Whether a channel that takes what is at least `least` takes this. */
export function isSevereEnough(severity: Severity, least: Severity): boolean {
  return WEIGHT[severity] >= WEIGHT[least];
}

/** Those that turn what they are told into a state: a text that is no alert would open one that nobody closes. */
const ALERTS_ALONE: ReadonlySet<ChannelKind> = new Set(["pagerduty", "alertmanager"]);

/** Whether a notice can be told in the way of this kind. */
export function takesNotice(kind: ChannelKind, { kind: of, event }: Pick<Notice, "kind" | "event">): boolean {
  if (of === "alert" || !ALERTS_ALONE.has(kind)) return true;
  return event === "test";
}
