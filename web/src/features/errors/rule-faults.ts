/** What the server says of a list of rules that it does not take. */
export interface Fault {
  /** JSON pointer into what was sent: `/rules/0/outcome`. */
  readonly pointer: string;
  readonly detail: string;
}

/** A fault, placed: in which rule, by its place and id, and in which of its fields. */
export interface PlacedFault {
  /** From 0; `null` when it concerns the list. */
  readonly rule: number | null;
  /** Of the rule, where it has one. */
  readonly id: string | null;
  /** Without the way to the rule; empty for a rule or the list as a whole. */
  readonly field: string;
  readonly detail: string;
}

export function placeFault({ pointer, detail }: Fault, sent: unknown): PlacedFault {
  const [, at, field = ""] = /^\/rules\/(\d+)(?:\/(.*))?$/.exec(pointer) ?? [];
  if (at === undefined) return { rule: null, id: null, field: pointer.replace(/^\//, ""), detail };
  const rules = (sent as { rules?: unknown } | null)?.rules;
  const rule: unknown = Array.isArray(rules) ? rules[Number(at)] : undefined;
  const id = (rule as { id?: unknown } | null | undefined)?.id;
  return { rule: Number(at), id: typeof id === "string" && id !== "" ? id : null, field, detail };
}

/**
 * Where a rule stands in the text of `{"rules": [{…}, …]}`, so that it can be marked there.
 *
 * @param text JSON that can be parsed
 * @returns start and end (exclusive), `null` when there is no such rule or it is no object
 */
export function findRuleSpan(text: string, rule: number): readonly [number, number] | null {
  let depth = 0;
  let seen = -1;
  let start = 0;
  for (const { 0: token, index } of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (token === "{" || token === "[") {
      if (depth === 2 && token === "{") {
        seen += 1;
        start = index;
      }
      depth += 1;
    } else if (token === "}" || token === "]") {
      depth -= 1;
      if (depth === 2 && token === "}" && seen === rule) return [start, index + 1];
    }
  }
  return null;
}
