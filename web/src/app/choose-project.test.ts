import { expect, it } from "vitest";
import type { ListedProject } from "../../../server/contract/access.ts";
import { chooseProject } from "./choose-project.ts";

const aProject = (slug: string, isSample: boolean, hasCalls: boolean): ListedProject => ({
  slug,
  name: slug,
  timeZone: "UTC",
  isSample,
  createdAt: "2026-11-29T12:00:00Z",
  hasCalls,
  role: "owner",
});
const own = aProject("default", false, true);
const blank = aProject("default", false, false);
const sample = aProject("sample", true, true);

it("takes the project that is named, whatever it holds", () => {
  expect(chooseProject([blank, sample], "default")).toBe(blank);
  expect(chooseProject([own, sample], "sample")).toBe(sample);
  expect(chooseProject([own, sample], "gone")).toBeUndefined();
});

it("begins with one's own calls, and without any with the sample", () => {
  expect(chooseProject([own, sample], null)).toBe(own);
  expect(chooseProject([blank, sample], null)).toBe(sample);
  expect(chooseProject([blank], null)).toBe(blank);
  expect(chooseProject([], null)).toBeUndefined();
});
