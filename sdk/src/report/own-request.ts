/**
 * Under this symbol an observed fetch keeps the one that it wraps, so that whoever replaced `globalThis.fetch` does
 * not record the recording. `Symbol.for`: the ESM and the CommonJS copy of this package must agree on it.
 */
export const ORIGINAL_FETCH: unique symbol = Symbol.for("busyhour.originalFetch");

/** On every request of a reporter: whatever looks at requests from outside can tell and leave them alone. */
export const REPORTER_HEADER = "x-busyhour-reporter";

type Fetch = typeof globalThis.fetch;

/** The innermost fetch below our own wrappers. */
export function unwrapFetch(fetch: Fetch): Fetch {
  let inner = fetch;
  for (let depth = 0; depth < 8; depth++) {
    const below = (inner as { [ORIGINAL_FETCH]?: unknown })[ORIGINAL_FETCH];
    if (typeof below !== "function") break;
    inner = below as Fetch;
  }
  return inner;
}
