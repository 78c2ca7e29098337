/** One field of a change: as it was and as it is; `null`: it was or is not there. */
export interface FieldChange {
  readonly name: string;
  readonly before: string | null;
  readonly after: string | null;
}

type Fields = Readonly<Record<string, unknown>> | null;

/** The fields of an entry of the audit log, in the order in which they stand there, as texts. */
export function listFieldChanges(before: Fields, after: Fields): FieldChange[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  return names
    .map((name) => ({ name, before: toText(before?.[name]), after: toText(after?.[name]) }))
    .filter((change) => change.before !== null || change.after !== null);
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  return typeof value === "string" ? value : JSON.stringify(value);
}
