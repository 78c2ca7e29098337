import { ApiError, type BodyFault, ServerAway } from "./api-error.ts";
import { HEADERS, takeEarly } from "./early.ts";

/**
 * Calls the server.
 *
 * @returns the JSON of its answer, `undefined` where it has none
 * @throws ApiError for what it refuses, ServerAway when nothing answers
 */
export async function callApi<T>(path: string, init: RequestInit = {}): Promise<T> {
  let response: Response;
  try {
    const isRead = init.method === undefined;
    response = await ((isRead && takeEarly(path)) ||
      fetch(path, { ...init, headers: { ...HEADERS, ...init.headers } }));
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServerAway(error);
  }
  if (!response.ok) throw await toError(response);
  if (response.status === 204) return undefined as T;
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (init.signal?.aborted) throw error;
    throw new ServerAway(error);
  }
}

export function sendJson<T>(
  method: "POST" | "PUT" | "PATCH" | "DELETE",
  path: string,
  body?: unknown,
): Promise<T> {
  return callApi<T>(path, {
    method,
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { "content-type": "application/json" } }),
  });
}

async function toError(response: Response): Promise<Error> {
  const isProblem = response.headers.get("content-type")?.includes("json") ?? false;
  // What answers without a problem document is a proxy in front of a server that is away.
  if (!isProblem) return new ServerAway(new Error(`status ${response.status}`));
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  const text = (name: string) => (typeof problem[name] === "string" ? (problem[name] as string) : null);
  const faults = Array.isArray(problem["errors"]) ? (problem["errors"] as BodyFault[]) : [];
  const told = faults.map(({ pointer, detail }) => `${pointer} ${detail}`).join("; ");
  return new ApiError(
    response.status,
    text("code") ?? "unknown",
    text("title") ?? `Status ${response.status}`,
    text("detail") ?? (told === "" ? null : told),
    faults,
  );
}
