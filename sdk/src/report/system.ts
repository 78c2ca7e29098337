import { type PackedBody, packBody } from "./pack-body.ts";

/** The world outside, as a reporter sees it; tests give their own. */
export interface System {
  /** Epoch milliseconds. */
  now(): number;
  /** From 0 to below 1, for jitter. */
  random(): number;
  /** Fills the bytes with randomness fit for ids. */
  fillRandom(bytes: Uint8Array): void;
  /** Calls back once, unless the returned function is called before. A pending timer keeps no process alive. */
  setTimer(callback: () => void, delayMs: number): () => void;
  /** What is asked to send; looked up at each request, so that whoever patches it later is heard. */
  fetch(): typeof globalThis.fetch;
  /** Makes a body smaller where that is worth it. */
  pack(text: string): Promise<PackedBody>;
  /** Tells a person. */
  warn(message: string): void;
}

export const realSystem: System = {
  now: () => Date.now(),
  random: () => Math.random(),
  fillRandom: (bytes) => {
    crypto.getRandomValues(bytes as Uint8Array<ArrayBuffer>);
  },
  setTimer(callback, delayMs) {
    const timer: unknown = setTimeout(callback, delayMs);
    // A number in browsers and on the edge, where nothing is kept alive by it.
    if (typeof timer === "object" && timer !== null && "unref" in timer) (timer as NodeJS.Timeout).unref();
    return () => clearTimeout(timer as number);
  },
  fetch: () => globalThis.fetch,
  pack: packBody,
  warn(message) {
    // biome-ignore lint/suspicious/noConsole: the one place where a library without a logger can speak
    console.warn(message);
  },
};
