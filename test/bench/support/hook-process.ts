/** One way of watching in a process of its own: measures what it is told to, and says what it costs. */
import { setTimeout as sleep } from "node:timers/promises";
import { createHook, type HookName } from "./hooks.ts";

export type Order =
  /** CPU per call, in microseconds. */
  | { readonly kind: "calls"; readonly calls: number }
  /** Bytes held per call under way. */
  | { readonly kind: "held"; readonly calls: number }
  /** From the call to the first chunk of a stream, in microseconds; bare, so that both are measured in one process. */
  | { readonly kind: "first"; readonly isBare: boolean }
  /** Milliseconds of a stream of so many bursts. */
  | { readonly kind: "whole"; readonly bursts: number }
  /** The same in milliseconds of CPU, which other processes disturb less. */
  | { readonly kind: "wholeCpu"; readonly bursts: number };

const CONCURRENT = 8;
const BODY = JSON.stringify({
  model: "gpt-x",
  messages: [{ role: "user", content: "What does the walrus say? ".repeat(60) }],
});
const [name, url] = process.argv.slice(2) as [HookName, string];
const hook = await createHook(name, url);

/** As clients of providers ask: `x-stainless-retry-count` says that it is no repetition. */
const post = (query = "", call = hook.fetch) =>
  call(`${url}/v1/chat/completions${query}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-stainless-retry-count": "0" },
    body: BODY,
  });

function measure(order: Order): Promise<number> {
  if (order.kind === "calls") return measureCalls(order.calls);
  if (order.kind === "held") return measureHeld(order.calls);
  return readStream(order);
}

async function measureCalls(calls: number): Promise<number> {
  const before = process.cpuUsage();
  let left = calls;
  await Promise.all(
    Array.from({ length: CONCURRENT }, async () => {
      while (left-- > 0) await (await post()).json();
    }),
  );
  await hook.flush();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / calls;
}

async function measureHeld(calls: number): Promise<number> {
  const before = heldBytes();
  const all = Array.from({ length: calls }, () => post("?way=hold"));
  while (Number(await (await fetch(`${url}/?way=count`)).text()) < calls) await sleep(20);
  const held = heldBytes() - before;
  await fetch(`${url}/?way=release`);
  await Promise.all(all.map(async (call) => (await call).json()));
  await hook.flush();
  return held / calls;
}

function heldBytes(): number {
  for (let i = 0; i < 4; i++) globalThis.gc?.();
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}

async function readStream(order: Extract<Order, { kind: "first" | "whole" | "wholeCpu" }>): Promise<number> {
  const bursts = order.kind === "first" ? 0 : order.bursts;
  const cpu = process.cpuUsage();
  const begin = performance.now();
  const reader = (
    (await post(`?way=stream&bursts=${bursts}`)).body as ReadableStream<Uint8Array>
  ).getReader();
  await reader.read();
  const first = performance.now() - begin;
  while (!(await reader.read()).done);
  const { user, system } = process.cpuUsage(cpu);
  if (order.kind === "wholeCpu") return (user + system) / 1_000;
  return order.kind === "first" ? 1_000 * first : performance.now() - begin;
}

process.on("message", (order: Order) => void measure(order).then((cost) => process.send?.(cost)));
process.once("disconnect", () => process.exit());
process.send?.(0);
