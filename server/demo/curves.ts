/** A day as 24 levels, the first at 00:00 local time; between two full hours the level runs straight. */
export type DayCurve = readonly number[];

/** The level at a local hour of 0–24 or beyond, where the next day looks like this one. */
export function levelAt(curve: DayCurve, hour: number): number {
  const start = Math.floor(hour);
  const from = curve[start % 24] ?? 0;
  const to = curve[(start + 1) % 24] ?? 0;
  return from + (to - from) * (hour - start);
}

/** How full a provider is whose customers sit in offices: 10:00–16:00 at the top, nights empty. */
export const OFFICE_LOAD: DayCurve = [
  0.02, 0, 0, 0, 0, 0.01, 0.04, 0.12, 0.35, 0.72, 0.93, 0.97, 0.92, 0.95, 1, 1, 0.93, 0.62, 0.36, 0.22, 0.15,
  0.1, 0.06, 0.03,
];

/** How full a provider is whose customers come after work: 18:00–22:00 at the top. */
export const EVENING_LOAD: DayCurve = [
  0.24, 0.12, 0.05, 0.02, 0, 0, 0, 0.02, 0.05, 0.08, 0.11, 0.14, 0.17, 0.17, 0.19, 0.23, 0.34, 0.6, 0.86, 1,
  1, 0.95, 0.7, 0.44,
];

/** A provider without any pattern: always the same. */
export const FLAT_LOAD: DayCurve = new Array<number>(24).fill(1);

/** When people write to support: mornings and afternoons, a dip at lunch, few at night. */
export const SUPPORT_DAY: DayCurve = [
  0.12, 0.09, 0.07, 0.06, 0.06, 0.07, 0.12, 0.28, 0.58, 0.85, 1, 0.98, 0.82, 0.88, 1, 0.99, 0.9, 0.74, 0.56,
  0.45, 0.38, 0.3, 0.22, 0.16,
];

/** When documents are worked through: some as they arrive, most after closing time. */
export const BATCH_EVENING: DayCurve = [
  0.5, 0.26, 0.16, 0.12, 0.1, 0.1, 0.11, 0.14, 0.22, 0.3, 0.33, 0.34, 0.3, 0.34, 0.37, 0.4, 0.5, 0.75, 0.95,
  1, 1, 0.96, 0.88, 0.72,
];

/** When a few people try things out. */
export const NOTEBOOK_DAY: DayCurve = [
  0.05, 0.02, 0, 0, 0, 0, 0.05, 0.2, 0.4, 0.8, 1, 0.9, 0.5, 0.8, 1, 0.9, 0.8, 0.6, 0.4, 0.3, 0.3, 0.3, 0.2,
  0.1,
];
