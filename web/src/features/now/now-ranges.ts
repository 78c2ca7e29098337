import type { RangeChoice } from "../../app/range.ts";

/** What counts as now: the last hour, and three together where one is too thin. */
export const LAST_HOUR: RangeChoice = { kind: "last", text: "1h" };
export const LAST_THREE_HOURS: RangeChoice = { kind: "last", text: "3h" };
