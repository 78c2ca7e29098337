/**
 * What is to be beaten: shares by hour of week, drawn toward a smoothed hour-of-day × kind-of-day shape, with
 * neighbours, calls weighing half after two weeks, and one strength for all cells, by moments.
 */
export function recommendedShares(
  weeks: readonly { readonly k: readonly number[]; readonly n: readonly number[] }[],
): number[] {
  const weigh = (of: "k" | "n") =>
    Array.from({ length: 168 }, (_, at) =>
      weeks.reduce((sum, week, i) => sum + 2 ** (-(weeks.length - 1 - i) / 2) * (week[of][at] ?? 0), 0),
    );
  const [n, k] = [weigh("n"), weigh("k")];
  const prior = shapeOf(k, n);
  const strength = strengthOf(k, n, prior);
  const [calls, errors] = [smooth(n), smooth(k)];
  return prior.map((p, at) => ((errors[at] ?? 0) + strength * p) / ((calls[at] ?? 0) + strength));
}

const HOUR_CALLS = 20;
const KIND_CALLS = 40;

function shapeOf(k: readonly number[], n: readonly number[]): number[] {
  const level = (total(k) + 0.5) / (total(n) + 10);
  const byHour = (values: readonly number[], days: readonly number[]) =>
    Array.from({ length: 24 }, (_, hour) => total(days.map((day) => values[day * 24 + hour] ?? 0)));
  const all = [0, 1, 2, 3, 4, 5, 6];
  const kinds = [all.slice(0, 5), all.slice(5)];
  const [hourErrors, hourCalls] = [smooth(byHour(k, all)), smooth(byHour(n, all))];
  const hour = hourErrors.map((e, h) => (e + HOUR_CALLS * level) / ((hourCalls[h] ?? 0) + HOUR_CALLS));
  const shapes = kinds.map((days) => {
    const [errors, calls] = [byHour(k, days), byHour(n, days)];
    const expected = total(calls.map((c, h) => c * (hour[h] ?? 0)));
    const factor = (total(errors) + 2) / (expected + 2);
    const [e, c] = [smooth(errors), smooth(calls)];
    return hour.map((p, h) =>
      Math.min(0.95, ((e[h] ?? 0) + KIND_CALLS * Math.min(0.9, factor * p)) / ((c[h] ?? 0) + KIND_CALLS)),
    );
  });
  return Array.from({ length: 168 }, (_, at) => shapes[at >= 120 ? 1 : 0]?.[at % 24] ?? level);
}

function strengthOf(k: readonly number[], n: readonly number[], prior: readonly number[]): number {
  let [squares, chance, scale] = [0, 0, 0];
  n.forEach((calls, at) => {
    if (calls <= 0.5) return;
    const p = prior[at] ?? 0;
    squares += calls * ((k[at] ?? 0) / calls - p) ** 2;
    chance += p * (1 - p);
    scale += p * (1 - p) * Math.max(0, calls - 1);
  });
  const correlation = Math.max(1e-6, (squares - chance) / Math.max(1e-9, scale));
  return Math.min(400, Math.max(2, 1 / correlation - 1));
}

function smooth(values: readonly number[]): number[] {
  const { length } = values;
  return values.map(
    (value, at) =>
      value + 0.5 * ((values[(at + 1) % length] ?? 0) + (values[(at + length - 1) % length] ?? 0)),
  );
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
