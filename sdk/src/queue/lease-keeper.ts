import { getPauseAfterFailure } from "../router/sync/pauses.ts";
import type { RouterSystem } from "../router/system.ts";
import type { QueueAnswer, QueueClient } from "./queue-client.ts";

/** A lease that is held. */
export interface Lease {
  readonly id: number;
  readonly token: string;
  /** The job was cancelled: it is still held, but not wanted. */
  onCancel(): void;
  /** Somebody else may have it. */
  onLost(): void;
}

export interface LeaseKeeperParts {
  readonly client: QueueClient;
  readonly worker: string;
  readonly leaseMs: number;
  readonly system: RouterSystem;
  readonly onAnswer: (answer: QueueAnswer) => void;
}

/** Leases of one request. */
const MOST_AT_ONCE = 500;
const TIMEOUT_MS = 10_000;

/**
 * Extends all leases each third of their time. While the server is away nothing is given up: it gives leases grace when it
 * is back, and says which are lost.
 */
export class LeaseKeeper {
  readonly #parts: LeaseKeeperParts;
  readonly #leases = new Map<number, Lease>();
  #cancel: (() => void) | null = null;
  #isSending = false;
  #failures = 0;

  constructor(parts: LeaseKeeperParts) {
    this.#parts = parts;
  }

  hold(lease: Lease): void {
    this.#leases.set(lease.id, lease);
    this.#later(this.#parts.leaseMs / 3);
  }

  /** It is ended, or given up. */
  drop({ id, token }: Pick<Lease, "id" | "token">): void {
    if (this.#leases.get(id)?.token === token) this.#leases.delete(id);
    if (this.#leases.size > 0) return;
    this.#cancel?.();
    this.#cancel = null;
  }

  #later(delayMs: number): void {
    if (this.#isSending || this.#leases.size === 0) return;
    this.#cancel ??= this.#parts.system.setTimer(() => {
      this.#cancel = null;
      void this.#extend();
    }, delayMs);
  }

  async #extend(): Promise<void> {
    this.#isSending = true;
    const all = [...this.#leases.values()];
    const { leaseMs, system } = this.#parts;
    let delayMs = leaseMs / 3;
    for (let from = 0; from < all.length; from += MOST_AT_ONCE) {
      const answer = await this.#send(all.slice(from, from + MOST_AT_ONCE));
      this.#parts.onAnswer(answer);
      if (answer.is === "ok") {
        this.#failures = 0;
        this.#hear(all, answer.body["leases"]);
        continue;
      }
      const { askedMs, isLasting } = answer.is === "later" ? answer : { askedMs: null, isLasting: false };
      const pause = { failures: ++this.#failures, askedMs, isLasting };
      delayMs = Math.min(
        delayMs,
        getPauseAfterFailure(pause, () => system.random()),
      );
      break;
    }
    this.#isSending = false;
    this.#later(delayMs);
  }

  #send(leases: readonly Lease[]): Promise<QueueAnswer> {
    const { client, worker, leaseMs } = this.#parts;
    const body = { worker, leaseMs, leases: leases.map(({ id, token }) => ({ id, token })) };
    return client.post("/v1/jobs/extend", body, TIMEOUT_MS);
  }

  /** What was ended, or leased anew, since it was asked is not meant. */
  #hear(asked: readonly Lease[], told: unknown): void {
    if (!Array.isArray(told)) return;
    const tokens = new Map(asked.map(({ id, token }) => [id, token]));
    for (const { id, is } of told as { id: number; is: string }[]) {
      const lease = this.#leases.get(id);
      if (lease === undefined || lease.token !== tokens.get(id)) continue;
      if (is === "cancel") lease.onCancel();
      else if (is === "lost") lease.onLost();
    }
  }
}
