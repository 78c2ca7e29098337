import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { draftSpan, type ReceivedSpan } from "./span.ts";
import { createSpanMemory, type SpanMemory, type StoredCall } from "./span-memory.ts";

/** `child<parent` names a span and the one above it; a capital is a model call. */
function aSpan(text: string): ReceivedSpan {
  const [spanId = "", parentSpanId = ""] = text.split("<");
  return { ...draftSpan({ name: "", version: "" }, ""), traceId: "t".repeat(32), spanId, parentSpanId };
}

/** Plays requests one after the other; what is stored at the end, by span. */
async function play(memory: SpanMemory, requests: readonly (readonly string[])[]): Promise<string[]> {
  const stored = new Set<string>();
  for (const texts of requests) {
    const spans = texts.map(aSpan);
    const isCall = spans.map(({ spanId }) => spanId === spanId.toUpperCase());
    const areAncestors = memory.add(1, spans, isCall);
    spans.forEach((span, i) => {
      if (isCall[i] !== true || areAncestors[i] === true) return;
      stored.add(span.spanId);
      memory.remember(1, span, { occurredAtMs: 0, eventId: span.spanId }, Promise.resolve());
    });
    await memory.removeOutdated(1, async (calls) => {
      for (const { eventId } of calls) stored.delete(eventId);
    });
  }
  return [...stored].sort();
}

/** An agent calls a model through a gateway: only the gateway's call, F, and a second call, G, are innermost. */
const FAMILY = ["a", "B<a", "c<B", "D<c", "e<D", "F<e", "G<a", "h<a"];

describe("createSpanMemory", () => {
  it("counts the innermost model calls alone", async () => {
    expect(await play(createSpanMemory(), [FAMILY])).toEqual(["F", "G"]);
  });

  it("does so in whatever order and in how many requests the spans come, also when some come twice", async () => {
    const order = fc.shuffledSubarray([...FAMILY, ...FAMILY], { minLength: 16, maxLength: 16 });
    const cuts = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 16, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(order, cuts, async (spans, lengths) => {
        const requests: string[][] = [];
        const left = [...spans];
        for (const length of lengths) requests.push(left.splice(0, length));
        expect(await play(createSpanMemory(), [...requests, left])).toEqual(["F", "G"]);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps projects and traces apart", () => {
    const memory = createSpanMemory();
    memory.add(1, [aSpan("B<A")], [true]);
    expect(memory.add(2, [aSpan("A")], [true])).toEqual([false]);
    expect(memory.add(1, [{ ...aSpan("A"), traceId: "u".repeat(32) }], [true])).toEqual([false]);
    expect(memory.add(1, [aSpan("A")], [true])).toEqual([true]);
  });

  it("is not led in circles", () => {
    const memory = createSpanMemory();
    expect(memory.add(1, [aSpan("A<A")], [true])).toEqual([false]);
    expect(memory.add(1, [aSpan("B<C"), aSpan("C<B")], [true, true])).toEqual([true, true]);
  });

  it("takes a parent of zeros for none", () => {
    const memory = createSpanMemory();
    memory.add(1, [aSpan("B<0000000000000000")], [true]);
    expect(memory.add(1, [aSpan("0000000000000000")], [true])).toEqual([false]);
  });

  it("waits for what is being stored, and hands over again what could not be removed", async () => {
    const memory = createSpanMemory();
    const steps: string[] = [];
    let finish = () => {};
    const storing = new Promise<void>((resolve) => {
      finish = () => {
        steps.push("stored");
        resolve();
      };
    });
    memory.add(1, [aSpan("A")], [true]);
    memory.remember(1, aSpan("A"), { occurredAtMs: 7, eventId: "a" }, storing);
    memory.add(1, [aSpan("B<A")], [true]);
    const removing = memory.removeOutdated(1, async () => {
      steps.push("removing");
      throw new Error("away");
    });
    finish();
    await expect(removing).rejects.toThrow("away");
    expect(steps).toEqual(["stored", "removing"]);
    const removed: StoredCall[] = [];
    await memory.removeOutdated(1, async (calls) => removed.push(...calls));
    await memory.removeOutdated(1, async (calls) => removed.push(...calls));
    expect(removed).toHaveLength(1);
    expect(removed[0]).toMatchObject({ occurredAtMs: 7, eventId: "a" });
  });

  it("forgets the oldest spans when there are too many", async () => {
    const memory = createSpanMemory(3);
    expect(await play(memory, [["A"], ["x", "y", "z"], ["B<A"]])).toEqual(["A", "B"]);
  });
});
