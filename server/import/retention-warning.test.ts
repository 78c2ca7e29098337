import { expect, test } from "vitest";
import { createOldRowsWarning, describeOldRows } from "./retention-warning.ts";

const NOW = Date.parse("2026-07-31T12:00:00Z");

test("rows before the cut-off are announced with the setting and the date", () => {
  const warning = describeOldRows(Date.parse("2026-05-01T00:00:00Z"), 30, NOW);
  expect(warning).toContain("there are rows from 2026-05-01");
  expect(warning).toContain("rows before 2026-07-01 will be rejected");
  expect(warning).toContain("BUSYHOUR_RAW_RETENTION_DAYS");
});

test("young rows, no rows and no limit are no reason", () => {
  expect(describeOldRows(NOW - 30 * 86_400_000, 30, NOW)).toBeNull();
  expect(describeOldRows(null, 30, NOW)).toBeNull();
  expect(describeOldRows(0, Number.POSITIVE_INFINITY, NOW)).toBeNull();
});

test("it is said once", () => {
  const said: string[] = [];
  const warn = createOldRowsWarning(30, NOW, (line) => said.push(line));
  for (const oldest of [NOW, 0, 0]) warn(oldest);
  expect(said).toHaveLength(1);
});
