import http from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { createShell } from "./support.ts";

const shell = createShell();
let answer = "";
const server = http.createServer((_req, res) => res.end(answer));
await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
afterAll(() => server.close());
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

it.each([
  ["a page", "<!doctype html>", "is no JSON"],
  ["JSON of something else", '{"hello":"world"}', "cannot be read"],
])("an address that answers with %s is told in one line", async (_, body, told) => {
  answer = body;
  const { code, stderr } = await shell.run(["diagnose", "--url", url, "--key", "k"]);
  expect(code).toBe(1);
  expect(stderr).toContain(told);
  expect(stderr).not.toContain("    at ");
  expect(stderr.trim().split("\n").at(-1)).toMatch(/Busyhour/);
});
