import { HOURS } from "./day-hours.ts";
import { shrunkRatio } from "./dispersion.ts";
import { type HourShape, withNeighbours } from "./evidence.ts";
import { sum } from "./sum.ts";

/** Pseudo-errors by which an hour is drawn toward its day's level. */
const TOWARD_LEVEL = 1;
/** Pseudo-errors that the same model at other endpoints is worth. */
const TOWARD_SIBLINGS = 4;
/** So that a sibling without errors in an hour does not make that hour free of them. */
const SIBLING_PRIOR = 0.3;

/**
 * How often calls find no room at an hour of the day, as a multiple of the day's level: 24 positive numbers.
 *
 * @param siblings the same of the model at other endpoints, where there are any: who wants a model wants it there, too
 */
export function hourRatios(shape: HourShape, siblings: readonly number[] | null): number[] {
  const errors = withNeighbours(shape.errors);
  const expected = withNeighbours(shape.expected);
  return errors.map((seen, hour) => {
    const worth = siblings === null ? 0 : TOWARD_SIBLINGS;
    return shrunkRatio(
      {
        errors: seen + worth * (siblings?.[hour] ?? 1),
        expected: (expected[hour] ?? 0) + worth,
      },
      TOWARD_LEVEL,
    );
  });
}

/** What several targets of one model show together, each with the same weight; `null` where there is none. */
export function siblingRatios(shapes: readonly HourShape[]): number[] | null {
  const told = shapes.filter(({ expected }) => sum(expected) > 0);
  if (told.length === 0) return null;
  const scaled = told.map((shape) => {
    const expected = withNeighbours(shape.expected);
    const scale = 1 / Math.max(5, sum(expected) / HOURS);
    return { errors: withNeighbours(shape.errors), expected, scale };
  });
  return Array.from({ length: HOURS }, (_, hour) => {
    let seen = SIBLING_PRIOR;
    let expected = SIBLING_PRIOR;
    for (const one of scaled) {
      seen += one.scale * (one.errors[hour] ?? 0);
      expected += one.scale * (one.expected[hour] ?? 0);
    }
    return seen / expected;
  });
}
