/** What a reporter does when the process is about to end. */
export interface ExitListener {
  /** Nothing is left to do for the event loop. Called again each time the loop runs dry. */
  onIdleExit(): void;
  /** The process was asked to stop; it waits for this where nobody else decides when it stops. */
  onTerminate(): Promise<void>;
}

/** The part of Node's `process` that is used; other runtimes have none of it, or less. */
interface ProcessLike {
  readonly pid: number;
  on(event: string, listener: () => void): unknown;
  prependListener(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

interface Hooks {
  readonly listeners: Set<ExitListener>;
  readonly remove: () => void;
}

/** One set for the process, also where the ESM and the CommonJS copy of this package are both loaded. */
const HOOKS = Symbol.for("busyhour.exitHooks");

/**
 * Has the listener called when the process ends. Where there is no Node process, nothing happens.
 *
 * @returns takes it back
 */
export function onProcessExit(listener: ExitListener): () => void {
  const host = globalThis as { [HOOKS]?: Hooks | undefined; process?: ProcessLike };
  const { process } = host;
  if (typeof process?.prependListener !== "function" || typeof process.kill !== "function") return () => {};
  host[HOOKS] ??= installHooks(process);
  const { listeners, remove } = host[HOOKS];
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    remove();
    host[HOOKS] = undefined;
  };
}

function installHooks(process: ProcessLike): Hooks {
  const listeners = new Set<ExitListener>();
  const onBeforeExit = () => {
    for (const listener of listeners) listener.onIdleExit();
  };
  /**
   * A listener for SIGTERM takes the signal's usual effect away. So it leaves at once, before the app's own are
   * called, who then find what they would find without it; and where there are none, it gives the signal back.
   */
  const onTerminate = () => {
    process.removeListener("SIGTERM", onTerminate);
    const isAlone = process.listenerCount("SIGTERM") === 0;
    const done = Promise.allSettled([...listeners].map((listener) => listener.onTerminate()));
    if (isAlone) void done.then(() => process.kill(process.pid, "SIGTERM"));
  };
  process.on("beforeExit", onBeforeExit);
  process.prependListener("SIGTERM", onTerminate);
  return {
    listeners,
    remove() {
      process.removeListener("beforeExit", onBeforeExit);
      process.removeListener("SIGTERM", onTerminate);
    },
  };
}
