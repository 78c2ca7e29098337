import { isRouterError, type RouterError } from "../router/router-error.ts";

/** Clients make errors of their own of an answer; they keep its headers. */
const errorsByHeaders = new WeakMap<object, RouterError>();

export function noteRouterError(headers: Headers, error: RouterError): void {
  errorsByHeaders.set(headers, error);
}

/**
 * The router's error behind what a wrapped client threw, with every attempt in it; `null` when there is none.
 */
export function findRouterError(error: unknown): RouterError | null {
  let cause: unknown = error;
  for (let depth = 0; depth < 8 && typeof cause === "object" && cause !== null; depth++) {
    if (isRouterError(cause)) return cause;
    const { headers } = cause as { headers?: unknown };
    const found = typeof headers === "object" && headers !== null ? errorsByHeaders.get(headers) : undefined;
    if (found !== undefined) return found;
    cause = (cause as { cause?: unknown }).cause;
  }
  return null;
}
