import { quietly } from "../observe/body-watch.ts";
import type { RouterSystem } from "../router/system.ts";
import type { BatchProgress } from "./types.ts";

const EVERY_MS = 1_000;

/** Tells how far a batch is, at each change and every second. */
export class Teller {
  readonly #onProgress: ((progress: BatchProgress) => void) | undefined;
  readonly #read: () => BatchProgress;
  readonly #system: RouterSystem;
  #cancel = () => {};

  constructor(
    onProgress: ((progress: BatchProgress) => void) | undefined,
    read: () => BatchProgress,
    system: RouterSystem,
  ) {
    this.#onProgress = onProgress;
    this.#read = read;
    this.#system = system;
  }

  begin(): void {
    if (this.#onProgress === undefined) return;
    this.tell();
    this.#cancel = this.#system.setTimer(() => this.begin(), EVERY_MS, true);
  }

  tell(): void {
    const { onProgress, read } = { onProgress: this.#onProgress, read: this.#read };
    if (onProgress !== undefined) quietly(() => onProgress(read()));
  }

  end(): void {
    this.#cancel();
    this.tell();
  }
}
