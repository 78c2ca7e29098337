import type { ReceivedSpan } from "./span.ts";

/** An attempt as it is found again in the database. */
export interface StoredCall {
  readonly occurredAtMs: number;
  /** A UUID. */
  readonly eventId: string;
}

/**
 * Remembers which span stands above which, so that of model calls within model calls the innermost alone counts: a
 * framework's span around a client's, a client's around a gateway's. They may come in one request or in several, in
 * any order.
 *
 * It holds the last spans that came to this server, some 200 bytes each; what is further apart, or went to another
 * server, is not recognised.
 */
export interface SpanMemory {
  /**
   * Takes note of a request's spans.
   *
   * @param isCall whether a span is a model call
   * @returns of each span, whether a model call stands beneath it
   */
  add(projectId: number, spans: readonly ReceivedSpan[], isCall: readonly boolean[]): boolean[];
  /** Says that the span's attempt is being stored. */
  remember(projectId: number, span: ReceivedSpan, call: StoredCall, storing: Promise<unknown>): void;
  /**
   * Hands over the attempts that turned out to have a model call beneath them after they were stored, once they are
   * in the database or known not to be. What could not be removed is handed over again next time.
   */
  removeOutdated(
    projectId: number,
    remove: (calls: readonly StoredCall[]) => Promise<unknown>,
  ): Promise<void>;
}

interface Node {
  /** `null`: a root; `undefined`: not seen yet, only named as a parent. */
  parent: string | null | undefined;
  /** Whether a model call stands beneath it. */
  isAncestor: boolean;
  stored: (StoredCall & { readonly storing: Promise<unknown> }) | null;
}

export function createSpanMemory(maxSpans = 100_000): SpanMemory {
  const nodes = new Map<string, Node>();
  const outdated = new Map<number, NonNullable<Node["stored"]>[]>();

  function markAncestors(projectId: number, from: string | null): void {
    for (let key = from; key !== null; ) {
      const node = nodes.get(key);
      if (node === undefined) {
        nodes.set(key, { parent: undefined, isAncestor: true, stored: null });
        return;
      }
      if (node.isAncestor) return;
      node.isAncestor = true;
      if (node.stored !== null) outdated.set(projectId, [...(outdated.get(projectId) ?? []), node.stored]);
      key = node.parent ?? null;
    }
  }

  function forgetOldest(): void {
    for (const key of nodes.keys()) {
      if (nodes.size <= maxSpans) return;
      nodes.delete(key);
    }
  }

  return {
    add(projectId, spans, isCall) {
      const keys = spans.map(({ traceId, spanId }) => toKey(projectId, traceId, spanId));
      const parents = spans.map((span) => toParentKey(projectId, span));
      keys.forEach((key, i) => {
        const parent = parents[i] ?? null;
        const node = nodes.get(key);
        if (node === undefined) nodes.set(key, { parent, isAncestor: false, stored: null });
        else node.parent = parent;
      });
      keys.forEach((key, i) => {
        if (isCall[i] === true || nodes.get(key)?.isAncestor === true)
          markAncestors(projectId, parents[i] ?? null);
      });
      const areAncestors = keys.map((key) => nodes.get(key)?.isAncestor === true);
      forgetOldest();
      return areAncestors;
    },
    remember(projectId, { traceId, spanId }, call, storing) {
      const node = nodes.get(toKey(projectId, traceId, spanId));
      if (node !== undefined) node.stored = { ...call, storing };
    },
    async removeOutdated(projectId, remove) {
      const calls = outdated.get(projectId) ?? [];
      if (calls.length === 0) return;
      outdated.delete(projectId);
      try {
        await Promise.allSettled(calls.map(({ storing }) => storing));
        await remove(calls);
      } catch (error) {
        outdated.set(projectId, [...calls, ...(outdated.get(projectId) ?? [])]);
        throw error;
      }
    },
  };
}

/** Half of a trace's id is random enough to tell it from the others that are remembered. */
function toKey(projectId: number, traceId: string, spanId: string): string {
  return `${projectId} ${traceId.slice(-16)} ${spanId}`;
}

function toParentKey(projectId: number, { traceId, spanId, parentSpanId }: ReceivedSpan): string | null {
  const isRoot = /^0*$/.test(parentSpanId) || parentSpanId === spanId;
  return isRoot ? null : toKey(projectId, traceId, parentSpanId);
}
