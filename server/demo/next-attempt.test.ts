import { describe, expect, it } from "vitest";
import { FLOWS, type Flow } from "./flows.ts";
import { decideNext, type Tried } from "./next-attempt.ts";
import { createRandom } from "./random.ts";

const random = createRandom(1);
const flowOf = (name: string): Flow => {
  const flow = FLOWS.find((candidate) => candidate.name === name);
  if (flow === undefined) throw new Error(`no flow ${name}`);
  return flow;
};
const chat = flowOf("support-answer"); // opus, sonnet, gptMini, local; one try each
const batch = flowOf("doc-extract"); // gpt, geminiPro, deepseek, local; two tries each

const tried = (some: Partial<Tried>): Tried => ({
  outcome: "capacity",
  position: 0,
  attempt: 1,
  tries: 1,
  retryAfterMs: undefined,
  ...some,
});

describe("decideNext", () => {
  it("ends after a success, a cancelled call and the caller's own faults", () => {
    for (const outcome of [
      "ok",
      "cancelled",
      "invalid_request",
      "context_length",
      "content_filter",
    ] as const) {
      expect(decideNext(batch, tried({ outcome }), random)).toBeNull();
    }
  });

  it("sends people to the next link at once, batches after a second try", () => {
    expect(decideNext(chat, tried({}), random)?.position).toBe(1);
    const again = decideNext(batch, tried({}), random);
    expect(again?.position).toBe(0);
    expect(again?.waitMs).toBeGreaterThanOrEqual(500);
    expect(again?.waitMs).toBeLessThanOrEqual(1_500);
    expect(decideNext(batch, tried({ attempt: 2, tries: 2 }), random)?.position).toBe(1);
  });

  it("waits as long as it is asked to, unless that is too long", () => {
    const limited = tried({ outcome: "rate_limit", retryAfterMs: 9_000 });
    expect(decideNext(batch, limited, random)).toEqual({ position: 0, waitMs: 9_000 });
    expect(decideNext(batch, { ...limited, retryAfterMs: 13_000 }, random)?.position).toBe(1);
  });

  it("leaves the provider when the account is at fault", () => {
    expect(decideNext(chat, tried({ outcome: "auth" }), random)?.position).toBe(2);
    expect(decideNext(batch, tried({ outcome: "quota" }), random)?.position).toBe(1);
  });

  it("ends with the fourth attempt, and at the floor", () => {
    expect(decideNext(batch, tried({ attempt: 4, position: 1 }), random)).toBeNull();
    expect(decideNext(chat, tried({ attempt: 3, position: 3 }), random)).toBeNull();
    expect(decideNext(flowOf("notebook-mistral"), tried({ outcome: "auth" }), random)).toBeNull();
  });
});
