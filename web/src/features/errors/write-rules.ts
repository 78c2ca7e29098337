import type { ClassificationRule, ClassificationRules } from "../../../../server/contract/classification.ts";

/** As docs/classification-rules.md has them; the database keeps no order of its own. */
const ORDER: readonly (keyof ClassificationRule)[] = [
  "id",
  "outcome",
  "because",
  "code",
  "text",
  "status",
  "also",
  "unless",
  "retryable",
  "scope",
  "switchHelps",
];

/** Rules as JSON for people: what a rule is called and means comes first, whatever order they are kept in. */
export function writeRules({ rules }: ClassificationRules): string {
  const ordered = rules.map((rule) => Object.fromEntries(ORDER.map((name) => [name, rule[name]])));
  return JSON.stringify({ rules: ordered }, null, 2);
}
