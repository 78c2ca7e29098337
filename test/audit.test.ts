import { execFileSync, spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";

const root = path.join(import.meta.dirname, "..");
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "busyhour-audit-"));
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }));

/** What the audit says when npm answers so. */
function auditWith(answer: string): { status: number | null; output: string } {
  fs.writeFileSync(path.join(folder, "answer"), answer);
  fs.writeFileSync(path.join(folder, "npm"), `#!/bin/sh\ncat '${folder}/answer'\nexit 1\n`, { mode: 0o755 });
  const { status, stdout } = spawnSync(process.execPath, [path.join(root, "bin", "audit.mjs")], {
    encoding: "utf8",
    env: { ...process.env, PATH: `${folder}${path.delimiter}${process.env["PATH"]}` },
  });
  return { status, output: stdout };
}

const aHole = (severity: string) => ({
  name: "some-package",
  severity,
  range: "<2.0.0",
  via: [{ title: "It can be made to run", url: "https://advisories.example/1" }, "another-package"],
  fixAvailable: true,
});

describe("the audit of dependencies", () => {
  it("fails for a hole of high severity or worse, and names it", () => {
    for (const severity of ["high", "critical"]) {
      const { status, output } = auditWith(JSON.stringify({ vulnerabilities: { a: aHole(severity) } }));
      expect(status).toBe(1);
      expect(output).toContain(`some-package <2.0.0: ${severity}: It can be made to run`);
    }
  });

  it("passes when there is none, or only lesser ones", () => {
    expect(auditWith('{"vulnerabilities":{}}').status).toBe(0);
    const lesser = { vulnerabilities: { a: aHole("moderate"), b: aHole("low") } };
    expect(auditWith(JSON.stringify(lesser))).toMatchObject({
      status: 0,
      output: "2 known holes, 0 of high severity or worse.\n",
    });
  });

  it.each(["", "not JSON", '{"message":"405 Method Not Allowed","statusCode":405}', "null"])(
    "passes, and says so, when the registry gives no answer: %s",
    (answer) => {
      expect(auditWith(answer)).toEqual({
        status: 0,
        output: "The registry could not be asked for known holes.\n",
      });
    },
  );

  it("is part of what CI runs", () => {
    expect(fs.readFileSync(path.join(root, ".ci", "run"), "utf8")).toContain("node bin/audit.mjs");
    execFileSync("bash", ["-n", path.join(root, ".ci", "run")]);
  });
});
