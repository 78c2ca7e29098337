import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { root, track } from "./product.ts";
import type { SenderMessage, SendOrder } from "./sender-process.ts";

export interface Senders {
  /** Posts all batches, as fast as they are taken. */
  go(): Promise<{ accepted: number; elapsedMs: number }>;
  close(): void;
}

/** Senders in a process of their own, so that they share no event loop with the server; their bodies are made. */
export async function prepareSenders(order: SendOrder): Promise<Senders> {
  const script = fileURLToPath(new URL("./sender-process.ts", import.meta.url));
  const child = fork(script, { cwd: root, execArgv: ["--import", "tsx"] });
  track(child);
  child.send({ order });
  await nextMessage(child, "ready");
  return {
    async go() {
      child.send("go");
      return await nextMessage(child, "sent");
    },
    close: () => void child.kill(),
  };
}

function nextMessage<T extends SenderMessage["type"]>(
  child: ChildProcess,
  type: T,
): Promise<Extract<SenderMessage, { type: T }>> {
  return new Promise((resolve, reject) => {
    const onExit = () => reject(new Error("the senders failed; see above"));
    child.once("exit", onExit);
    child.once("message", (message: SenderMessage) => {
      child.off("exit", onExit);
      if (message.type === type) resolve(message as Extract<SenderMessage, { type: T }>);
      else reject(new Error(`the senders said ${message.type} instead of ${type}`));
    });
  });
}
