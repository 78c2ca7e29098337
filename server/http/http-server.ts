import { createServer, type RequestListener, type Server } from "node:http";
import { SLOW_READER_LIMITS, watchSlowReaders } from "./slow-readers.ts";

/** How long a client may take; who takes longer is answered with 408 where that is still possible, and let go. */
const HEAD_WITHIN_MS = 20_000;
const REQUEST_WITHIN_MS = 120_000;
const CHECK_EVERY_MS = 5_000;
/** More than a load balancer waits, so that it never sends a request into a connection that we close just then. */
const KEEP_ALIVE_MS = 65_000;
const MAX_HEAD_BYTES = 16_384;
/** Those beyond are closed at once, so that the ones before are served. */
const MAX_CONNECTIONS = 2_000;

/** A server that slow and hostile clients can neither fill nor hold. */
export function createHttpServer(listener: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: HEAD_WITHIN_MS,
      requestTimeout: REQUEST_WITHIN_MS,
      connectionsCheckingInterval: CHECK_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      maxHeaderSize: MAX_HEAD_BYTES,
    },
    listener,
  );
  server.maxConnections = MAX_CONNECTIONS;
  const readers = watchSlowReaders(server, SLOW_READER_LIMITS);
  const checking = setInterval(() => readers.check(performance.now()), CHECK_EVERY_MS);
  checking.unref();
  server.once("close", () => clearInterval(checking));
  return server;
}
