import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface SlowReaderLimits {
  /** A reader may keep us waiting so long before its speed matters. */
  readonly graceMs: number;
  /** What it must take at least, after that. */
  readonly minBytesPerSecond: number;
}

export interface SlowReaders {
  /** Ends the connections whose other end takes what it asked for too slowly. */
  check(nowMs: number): void;
}

interface Backlog {
  readonly sinceMs: number;
  readonly bytes: number;
}

export const SLOW_READER_LIMITS: SlowReaderLimits = { graceMs: 30_000, minBytesPerSecond: 16_384 };

/**
 * Node limits how slowly a request may come, not how slowly its answer may be taken: the answer then waits in our
 * memory for as long as the other end likes.
 */
export function watchSlowReaders(
  server: Server,
  { graceMs, minBytesPerSecond }: SlowReaderLimits,
): SlowReaders {
  const sockets = new Map<Socket, Backlog | null>();
  server.on("connection", (socket) => {
    sockets.set(socket, null);
    socket.once("close", () => sockets.delete(socket));
  });
  return {
    check(nowMs) {
      for (const [socket, backlog] of sockets) {
        const bytes = socket.writableLength;
        if (bytes === 0) sockets.set(socket, null);
        else if (backlog === null) sockets.set(socket, { sinceMs: nowMs, bytes });
        else if (nowMs - backlog.sinceMs > graceMs + (backlog.bytes / minBytesPerSecond) * 1_000)
          socket.destroy();
        else if (bytes > backlog.bytes) sockets.set(socket, { ...backlog, bytes });
      }
    },
  };
}
