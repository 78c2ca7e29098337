/**
 * A column of rows, for `unnest`. The driver tells an array's type from its first element and takes one of times for one
 * time: they go as text.
 */
export function columnOf<T, K extends keyof T>(rows: readonly T[], name: K): never[] {
  return rows.map((row) => {
    const value = row[name];
    return value instanceof Date ? value.toISOString() : value;
  }) as never[];
}
