import type { BodyObserver } from "./body-observer.ts";
import type { IdleBodies, IdleBody } from "./idle-bodies.ts";

/** What a body has said when it is over, by whichever way. */
export type BodyEnd =
  | { readonly kind: "taken"; readonly body: unknown }
  | { readonly kind: "ended" | "cancelled" | "abandoned" }
  | { readonly kind: "failed"; readonly error: unknown };

/** What a watch needs to be told, and whom it tells. */
export interface BodyListener<Chunk = Uint8Array> {
  makeObserver(): BodyObserver<Chunk>;
  now(): number;
  /** Called once. @param hasBegun whether any of the body was handed over */
  onOver(end: BodyEnd, observer: BodyObserver<Chunk>, hasBegun: boolean): void;
}

/** Shared by the copies of one body. */
interface Copies {
  open: number;
  isOver: boolean;
}

/**
 * Hears how one body is consumed; each copy of a response has one of its own. The first copy that comes to its end
 * tells, and one that is cancelled tells only when no other is left. What goes wrong in here stays in here.
 */
export class BodyWatch<Chunk = Uint8Array> implements IdleBody {
  lastAt: number;
  readonly #listener: BodyListener<Chunk>;
  readonly #idle: IdleBodies;
  readonly #copies: Copies;
  #observer: BodyObserver<Chunk> | null = null;
  #isClosed = false;

  constructor(listener: BodyListener<Chunk>, idle: IdleBodies, copies: Copies = { open: 0, isOver: false }) {
    this.#listener = listener;
    this.#idle = idle;
    this.#copies = copies;
    copies.open++;
    this.lastAt = listener.now();
    idle.add(this);
  }

  /** A piece was handed to the caller. */
  chunk(chunk: Chunk): void {
    if (this.#copies.isOver) return;
    try {
      this.lastAt = this.#listener.now();
      this.#observe().push(chunk, this.lastAt);
    } catch {
      // What cannot be read says nothing.
    }
  }

  /** The whole body was handed over at once: text, parsed JSON or bytes. */
  taken(body: unknown): void {
    this.#over({ kind: "taken", body });
  }

  ended(): void {
    this.#over({ kind: "ended" });
  }

  failed(error: unknown): void {
    this.#over({ kind: "failed", error });
  }

  /** The caller wants no more. */
  cancelled(): void {
    this.#over({ kind: "cancelled" });
  }

  /** A reader was let go before the end: some clients leave a body that way once they have seen an error in it. */
  released(): void {
    if (this.#copies.isOver || this.#observer === null) return;
    const { error, isComplete } = quietly(() => this.#observe().finish()) ?? {};
    if (error !== undefined || isComplete === true) this.cancelled();
  }

  /** Nobody has read on for long. */
  giveUp(): void {
    this.#over({ kind: "abandoned" });
  }

  /** For a copy of the same body. */
  fork(): BodyWatch<Chunk> {
    return new BodyWatch(this.#listener, this.#idle, this.#copies);
  }

  #observe(): BodyObserver<Chunk> {
    this.#observer ??= this.#listener.makeObserver();
    return this.#observer;
  }

  #over(end: BodyEnd): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#idle.delete(this);
    const copies = this.#copies;
    copies.open--;
    const isLeft = end.kind === "cancelled" || end.kind === "abandoned";
    if (copies.isOver || (isLeft && copies.open > 0)) return;
    copies.isOver = true;
    const hasBegun = this.#observer !== null;
    quietly(() => this.#listener.onOver(end, this.#observe(), hasBegun));
  }
}

/** Runs what must never disturb the caller. */
export function quietly<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
