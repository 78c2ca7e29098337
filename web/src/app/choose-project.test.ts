import { expect, it } from "vitest";
import type { ProjectRecord } from "../../../server/contract/access.ts";
import { chooseProject } from "./choose-project.ts";

const aProject = (slug: string, isSample: boolean): ProjectRecord => ({
  slug,
  name: slug,
  timeZone: "UTC",
  isSample,
  createdAt: "2026-11-29T12:00:00Z",
});
const own = aProject("default", false);
const sample = aProject("sample", true);

it("takes the project that is named, whatever it holds", () => {
  expect(chooseProject([own, sample], "default", false)).toBe(own);
  expect(chooseProject([own, sample], "sample", true)).toBe(sample);
  expect(chooseProject([own, sample], "gone", true)).toBeUndefined();
});

it("begins with one's own calls, and without any with the sample", () => {
  expect(chooseProject([own, sample], null, true)).toBe(own);
  expect(chooseProject([own, sample], null, false)).toBe(sample);
  expect(chooseProject([own], null, false)).toBe(own);
  expect(chooseProject([], null, false)).toBeUndefined();
});
