import type { PlanChange } from "../contract/plan.ts";

/** A change in a line of English, for terminals: `default: order large, small → small, large`. */
export function formatChange({ chain, ...change }: PlanChange): string {
  return `${chain === null ? "" : `${chain}: `}${describe(change)}`;
}

function describe({ kind, subject, before, after }: Omit<PlanChange, "chain">): string {
  const turn = `${format(before)} → ${format(after)}`;
  switch (kind) {
    case "chainAdded":
      return "chain added";
    case "chainRemoved":
      return "chain removed";
    case "timeZone":
      return `time zone ${turn}`;
    case "targetAdded":
      return `target ${subject} added: ${format(after)}`;
    case "targetRemoved":
      return `target ${subject} removed`;
    case "targetChanged":
      return `target ${subject}: ${turn}`;
    case "order":
      return `order ${turn}`;
    case "floor":
      return `floor ${turn}`;
    case "retry":
      return `retry ${subject} ${turn}`;
    case "scheduleAdded":
      return `${subject} order ${format(after)} (new)`;
    case "scheduleRemoved":
      return `${subject} order ${format(before)} (gone)`;
    case "avoidAdded":
      return `${subject} avoid ${format(after)} (new)`;
    case "avoidRemoved":
      return `${subject} avoid ${format(before)} (gone)`;
    case "other":
      return `${subject} ${turn}`;
  }
}

function format(value: unknown): string {
  if (value === null || value === undefined) return "none";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ");
  return JSON.stringify(value);
}
