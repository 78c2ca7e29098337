import { realSystem } from "../report/system.ts";
import { createUuidV7 } from "../report/uuid-v7.ts";
import { runInScope, type Scope } from "./scope.ts";

const makeId = createUuidV7((bytes) => realSystem.fillRandom(bytes));

/**
 * Runs what belongs to one request of yours, however many attempts it takes at however many targets: they share its id,
 * are numbered in turn, and the last one alone is final. Where the runtime cannot follow asynchronous code, attempts are
 * grouped as they are without it.
 */
export async function asOneRequest<T>(run: () => T | Promise<T>): Promise<T> {
  const scope: Scope = { requestId: makeId(Date.now()), attempts: 0, isCovered: false, onEnd: [] };
  try {
    return await runInScope(scope, run);
  } finally {
    for (const end of scope.onEnd) end();
  }
}
