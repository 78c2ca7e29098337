import { ADMIN_TOKEN } from "../../../bench/support/product.ts";

/** Who prepares the world: the admin token. */
export interface Admin {
  /** @returns what was answered. @throws Error when that is no success */
  must(method: string, path: string, body?: unknown): Promise<Record<string, unknown>>;
  call(method: string, path: string, body?: unknown): Promise<Response>;
  /** Whether these credentials are anybody's. */
  isLive(headers: Readonly<Record<string, string>>): Promise<boolean>;
  /** The cookie that a sign-in link gives. */
  follow(link: string): Promise<string>;
}

export function createAdmin(url: string): Admin {
  const call: Admin["call"] = (method, path, body) =>
    fetch(url + path, {
      method,
      redirect: "manual",
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    call,
    async must(method, path, body) {
      const response = await call(method, path, body);
      const text = await response.text();
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
      return text === "" ? {} : (JSON.parse(text) as Record<string, unknown>);
    },
    async isLive(headers) {
      const response = await fetch(`${url}/api/me`, { headers });
      await response.arrayBuffer();
      return response.status !== 401;
    },
    async follow(link) {
      const { pathname, search } = new URL(link);
      const opened = await fetch(url + pathname + search, { redirect: "manual" });
      return (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    },
  };
}
