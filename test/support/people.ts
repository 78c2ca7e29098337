import type { MemberRole } from "../../server/contract/route.ts";
import type { TestServer } from "./server.ts";

/** What a browser sends along with a change from the server's own pages. */
export const OWN_SITE = { "sec-fetch-site": "same-origin" };

export interface Signed {
  readonly userId: number;
  /** Of requests in the person's session. */
  readonly headers: { readonly cookie: string; readonly "sec-fetch-site": string };
}

export const cookieOf = (response: Response) =>
  (response.headers.get("set-cookie") ?? "").split(";")[0] ?? "";

/** Sends JSON as the admin token, or with other headers. @returns the answer, which must be a good one */
// biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape the contract tests hold
export async function send(api: TestServer, method: string, path: string, body?: unknown): Promise<any> {
  const response = await api.fetch(path, {
    method,
    headers: { "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? undefined : JSON.parse(text);
}

/** A person with roles in projects by their slug, and no session yet. */
export async function createPerson(
  api: TestServer,
  name: string,
  roles: Readonly<Record<string, MemberRole>> = {},
  parts: { email?: string; isOwner?: boolean } = {},
): Promise<number> {
  const { id } = await send(api, "POST", "/api/users", { name, ...parts });
  for (const [slug, role] of Object.entries(roles)) {
    await send(api, "PUT", `/api/members/${id}?project=${slug}`, { role });
  }
  return id;
}

/** Opens a session of the person by a one-time link. */
export async function signIn(api: TestServer, userId: number): Promise<Signed> {
  const { url } = await send(api, "POST", `/api/users/${userId}/sign-in-links`);
  const cookie = cookieOf(await fetch(url, { redirect: "manual" }));
  if (cookie === "") throw new Error("the link opened no session");
  return { userId, headers: { cookie, ...OWN_SITE } };
}
