/** What belongs to one request of the caller, as far as code called from it can see. */
export interface Scope {
  /** `null` where attempts are to find their request by themselves. */
  readonly requestId: string | null;
  /** Attempts so far. */
  attempts: number;
  /** Whether an attempt is being recorded already, so that what it calls is not recorded once more. */
  readonly isCovered: boolean;
  /** To be called when no attempt can follow any more. */
  readonly onEnd: (() => void)[];
}

interface Storage<T> {
  getStore(): T | undefined;
  run<R>(store: T, callback: () => R): R;
}
type StorageClass = new <T>() => Storage<T>;

/** Looked up without an import: the same code runs where there is no such class. */
function findStorageClass(): StorageClass | null {
  const runtime = globalThis as {
    process?: { getBuiltinModule?: (id: string) => { AsyncLocalStorage?: StorageClass } | undefined };
    AsyncLocalStorage?: StorageClass;
  };
  try {
    return (
      runtime.process?.getBuiltinModule?.("node:async_hooks")?.AsyncLocalStorage ??
      runtime.AsyncLocalStorage ??
      null
    );
  } catch {
    return null;
  }
}

const SLOT = Symbol.for("busyhour.scopes");

/** One storage per process: the ESM and the CommonJS copy of this package must see each other's scopes. */
function storage(): Storage<Scope> | null {
  const slots = globalThis as { [SLOT]?: Storage<Scope> | null };
  if (slots[SLOT] === undefined) {
    const StorageOfRuntime = findStorageClass();
    slots[SLOT] = StorageOfRuntime === null ? null : new StorageOfRuntime<Scope>();
  }
  return slots[SLOT];
}

/** @returns the innermost scope that this code runs in, or `null` */
export function findScope(): Scope | null {
  // Nobody has opened one yet: the usual case, and nothing to look up.
  return (globalThis as { [SLOT]?: Storage<Scope> | null })[SLOT]?.getStore() ?? null;
}

/** Runs the function in the scope; without asynchronous storage it just runs. */
export function runInScope<R>(scope: Scope, run: () => R): R {
  const scopes = storage();
  return scopes === null ? run() : scopes.run(scope, run);
}

/** Runs what belongs to an attempt that is recorded already. */
export function runCovered<R>(run: () => R): R {
  return runInScope({ ...(findScope() ?? NO_SCOPE), isCovered: true }, run);
}

const NO_SCOPE: Scope = { requestId: null, attempts: 0, isCovered: false, onEnd: [] };
