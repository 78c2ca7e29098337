import type { RangeChoice } from "../../app/range.ts";

/** What changes are looked for in, against the week before. */
export const LAST_WEEK: RangeChoice = { kind: "last", text: "7d" };
