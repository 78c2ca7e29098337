import { describe, expect, it } from "vitest";
import { changeSearch, linkTo, readScope } from "./scope.ts";

const read = (search: string) => readScope(new URLSearchParams(search));

describe("the scope in the URL", () => {
  it("comes back as it was written", () => {
    const scope = {
      project: "sample",
      range: { kind: "last", text: "7d" },
      zone: "Europe/Berlin",
      compare: "week",
      count: "requests",
      target: { provider: "openrouter", model: "qwen/qwen3-max", endpoint: "" },
    } as const;
    expect(read(changeSearch("", scope))).toEqual(scope);
  });

  it("ignores what is no zone, no comparison and half a target", () => {
    expect(read("zone=Mars&compare=never&provider=acme")).toEqual({
      project: null,
      range: null,
      zone: null,
      compare: null,
      count: "attempts",
      target: null,
    });
  });

  it("keeps what a change does not name, and clears what it sets to null", () => {
    expect(changeSearch("sort=n&zone=UTC", { project: "sample" })).toBe("project=sample&sort=n&zone=UTC");
    expect(changeSearch("from=2026-01-01T00:00Z&to=2026-01-02T00:00Z", { range: null })).toBe("");
  });

  it("leads to another page with range and zone, and without this page's filters", () => {
    expect(linkTo("zone=UTC&sort=n&provider=a&model=b", "/sources")).toBe("/sources?zone=UTC");
    expect(linkTo("", "/")).toBe("/");
  });
});
