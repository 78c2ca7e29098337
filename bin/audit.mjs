#!/usr/bin/env node
// Known holes in the packages that the server runs on: one of high severity or worse is a failure. Whether the registry
// can be asked is not ours to say: where it cannot, that is told and nothing fails.
import { spawnSync } from "node:child_process";
import { root } from "./prepare.mjs";

const WITHIN_MS = 60_000;
const SEVERITIES = ["high", "critical"];

/** @returns what `npm audit` knows, `null` where it knows nothing */
function ask() {
  const { stdout } = spawnSync("npm", ["audit", "--omit=dev", "--json"], {
    cwd: root,
    encoding: "utf8",
    timeout: WITHIN_MS,
    stdio: ["ignore", "pipe", "ignore"],
  });
  try {
    const { vulnerabilities } = JSON.parse(stdout);
    return typeof vulnerabilities === "object" && vulnerabilities !== null ? vulnerabilities : null;
  } catch {
    return null;
  }
}

const found = ask();
if (found === null) {
  console.log("The registry could not be asked for known holes.");
} else {
  const bad = Object.values(found).filter(({ severity }) => SEVERITIES.includes(severity));
  for (const { name, severity, range, via, fixAvailable } of bad) {
    const titles = via.flatMap((one) =>
      typeof one === "object" ? [`${one.title} ${one.url}`] : [`by ${one}`],
    );
    console.log(
      `${name} ${range}: ${severity}: ${titles.join("; ")}${fixAvailable ? "; there is a remedy" : ""}`,
    );
  }
  console.log(`${Object.keys(found).length} known holes, ${bad.length} of high severity or worse.`);
  process.exitCode = bad.length > 0 ? 1 : 0;
}
