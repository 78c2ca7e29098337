import type { Page } from "playwright-core";
import { ADMIN_TOKEN, type Dashboard, visit } from "./support.ts";

export const PASSWORD = "a fine day for tea";

// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the contract tests hold
export async function call({ url }: Dashboard, method: string, path: string, body?: unknown): Promise<any> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** A project `shop` with people in every role, one of them with a password; keys in every state; open invitations. */
export async function fillTeam(dashboard: Dashboard): Promise<void> {
  const to = (method: string, path: string, body?: unknown) => call(dashboard, method, path, body);
  await to("POST", "/api/projects", { slug: "shop", name: "Shop", timeZone: "Europe/Berlin" });
  await to("POST", "/api/projects", { slug: "support-bot", name: "Support bot", timeZone: "Asia/Shanghai" });
  const person = async (name: string, role: string, email?: string) => {
    const { id } = await to("POST", "/api/users", { name, email });
    await to("PUT", `/api/members/${id}?project=shop`, { role });
    return id as number;
  };
  const ada = await person("Ada Lovelace", "admin", "ada@example.org");
  await person("Vera Rubin", "viewer", "vera@example.org");
  await person("Grace Hopper", "editor");
  await to("PUT", `/api/members/${ada}?project=support-bot`, { role: "viewer" });
  const gone = await person("Somebody who left", "viewer");
  await to("PATCH", `/api/users/${gone}`, { isDisabled: true });
  const { url } = await to("POST", `/api/users/${ada}/sign-in-links`);
  const opened = await fetch(url, { redirect: "manual" });
  await fetch(`${dashboard.url}/api/me/password`, {
    method: "PUT",
    headers: {
      cookie: (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "",
      "sec-fetch-site": "same-origin",
      "content-type": "application/json",
    },
    body: JSON.stringify({ password: PASSWORD }),
  });
  const key = (body: object) => to("POST", "/api/keys?project=shop", body);
  await key({ kind: "ingest", name: "checkout", eventsPerMinute: 6_000 });
  await key({ kind: "read", name: "dashboard on the wall", scopes: ["figures"], expiresInDays: 90 });
  const { id } = await key({ kind: "admin", name: "deploy", scopes: ["manage"] });
  await to("POST", `/api/keys/${id}/rotations?project=shop`, {});
  const revoked = await key({ kind: "ingest", name: "an old one" });
  await to("DELETE", `/api/keys/${revoked.id}?project=shop`);
  await invite(dashboard, "shop", "Barbara Liskov");
}

/** @returns the link of an invitation as viewer */
export async function invite(dashboard: Dashboard, slug: string, note = ""): Promise<string> {
  const body = { role: "viewer", note };
  return (await call(dashboard, "POST", `/api/invitations?project=${slug}`, body)).url;
}

/** A link that signs the person of this name in. */
export async function linkFor(dashboard: Dashboard, name: string): Promise<string> {
  const { users } = await call(dashboard, "GET", "/api/users");
  const found = users.find((user: { name: string }) => user.name === name);
  return (await call(dashboard, "POST", `/api/users/${found.id}/sign-in-links`)).url;
}

/** Follows an invitation, whose token stands behind the # of its link. */
export async function followInvitation(page: Page, dashboard: Dashboard): Promise<void> {
  // Between addresses that differ behind the # alone a browser loads nothing.
  await page.goto("about:blank");
  await visit(page, await invite(dashboard, "shop"));
}
