import { expect, it } from "vitest";
import { startReceiver } from "../support/receiver.ts";
import { createShell } from "./support.ts";

const shell = createShell();

/** What a command that must succeed prints. */
async function run(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await shell.run(args);
  expect([args.join(" "), code, stderr]).toEqual([args.join(" "), 0, stderr]);
  return stdout.trim();
}
const firstOf = (row: string) => row.split("\t")[0] ?? "";

it("a team is made, looked after and looked back on from the command line", {
  timeout: 240_000,
}, async () => {
  const receiver = await startReceiver();
  const server = shell.start(["start"], "", { BUSYHOUR_OUTGOING_ALLOW: "127.0.0.1" });
  const [, url = ""] = await server.until(/(http:\/\/127\.0\.0\.1:\d+)\/sign-in\?token=/);
  await run("projects", "create", "shop", "--name", "Shop", "--zone", "Asia/Tokyo");
  expect(await run("projects", "list")).toMatch(/^shop\tShop\tAsia\/Tokyo\tno calls yet$/m);

  const ada = firstOf(await run("users", "create", "Ada", "--email", "Ada@example.org"));
  await run("members", "set", ada, "admin", "--project", "shop");
  expect(await run("members", "list", "--project", "shop")).toMatch(/\tadmin\tAda\tada@example\.org\tsince /);
  const opened = await fetch(await run("users", "link", ada), { redirect: "manual" });
  expect(opened.headers.get("location")).toBe("/");
  const session = firstOf(
    (await run("sessions", "list")).split("\n").find((row) => row.includes("\tAda\t")) ?? "",
  );
  await run("sessions", "end", session);
  expect(await run("sessions", "list")).not.toContain("Ada");
  expect(await run("users", "change", ada, "--disable")).toContain("shut out");
  expect((await shell.run(["users", "change", "1", "--no-owner"])).stderr).toContain("One owner must stay");
  await run("users", "change", ada, "--enable", "--owner");
  await run("members", "remove", ada, "--project", "shop");

  const invitation = await run("invitations", "create", "viewer", "--note", "Bob", "--project", "shop");
  expect(invitation).toMatch(new RegExp(`^${url}/invitation#[\\w-]{43}$`));
  const open = await run("invitations", "list", "--project", "shop");
  expect(open).toContain("\tviewer\tBob\tuntil ");
  await run("invitations", "withdraw", firstOf(open), "--project", "shop");
  expect(await run("invitations", "list", "--project", "shop")).toBe("");

  const narrow = ["--scopes", "figures", "--expires-days", "30", "--project", "shop"];
  expect(await run("keys", "create", "read", "--name", "wall", ...narrow)).toMatch(/^bhr_/);
  const keys = await run("keys", "list", "--project", "shop");
  expect(keys).toMatch(/\twall\tfigures · until .* · last used never/);
  expect(await run("keys", "rotate", firstOf(keys), "--overlap-hours", "2", "--project", "shop")).toMatch(
    /^bhr_/,
  );
  expect(await run("keys", "list", "--project", "shop")).toMatch(
    /\twall\tfigures · replaced by \d+ · until /,
  );
  const unknown = await shell.run(["keys", "create", "read", "--scopes", "everything"]);
  expect([unknown.code, unknown.stderr]).toEqual([1, expect.stringContaining("/scopes")]);

  const address = `http://127.0.0.1:${receiver.port}/hook/zqxplant0123456789`;
  const added = await shell.run(["channels", "add", "-", "--least", "warning", "--project", "shop"], address);
  expect([added.code, added.stderr]).toEqual([0, expect.stringContaining("busyhour channels test")]);
  const [channel = "", secret] = added.stdout.trim().split("\n");
  expect(channel).toMatch(/^\d+\tWebhook\twebhook\t127\.0\.0\.1:\d+\/…6789\ten\twarning\tunused\t0 waiting$/);
  expect(secret).toMatch(/^whsec_/);
  expect(await run("channels", "test", firstOf(channel), "--project", "shop")).toMatch(
    /^status 200 after \d+ ms: –$/,
  );
  receiver.reply = () => ({ status: 410, body: "closed" });
  const failed = await shell.run(["channels", "test", firstOf(channel), "--project", "shop"]);
  expect([failed.code, failed.stdout]).toEqual([1, expect.stringContaining("status 410")]);
  expect(failed.stderr).toContain("closed for good");
  expect(receiver.received.map(({ body }) => body.type)).toEqual(["test", "test"]);
  expect(await run("channels", "list", "--project", "shop")).toContain("\toff (gone)\t");
  const refused = await shell.run(["channels", "add", "https://10.0.0.1/x", "--project", "shop"]);
  expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining("not public")]);
  await run("channels", "remove", firstOf(channel), "--project", "shop");
  expect(await run("channels", "list", "--project", "shop")).toBe("");

  await run("projects", "remove", "shop");
  await run("users", "remove", ada);
  const log = await run("audit", "--all", "--search", "ada", "--limit", "500");
  for (const action of ["user.created", "member.set", "session.opened", "session.ended", "user.removed"]) {
    expect(log).toContain(`\t${action}\tAda\t`);
  }
  const [gone = "{}"] = (await run("audit", "--all", "--action", "project.removed", "--json")).split("\n");
  expect(JSON.parse(gone)).toMatchObject({ project: "shop", before: { name: "Shop" }, after: null });
  server.process.kill("SIGTERM");
  await server.finished;
});
