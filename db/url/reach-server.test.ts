import { expect, test } from "vitest";
import { checkServerVersion } from "./reach-server.ts";

test.each([150_000, 180_004])("takes version %d", (version) => {
  expect(checkServerVersion(version, "db")).toBe(version);
});

test.each([
  [140_011, "14.11"],
  [90_624, "9.6"],
])("refuses version %d and names it %s", (version, name) => {
  expect(() => checkServerVersion(version, "db")).toThrow(expect.objectContaining({ code: "url_too_old" }));
  expect(() => checkServerVersion(version, "db")).toThrow(`PostgreSQL ${name},`);
});
