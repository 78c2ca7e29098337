import type { IngestLimit } from "../access/ingest-limit.ts";
import { MAX_BODY_BYTES, MAX_EVENTS_PER_REQUEST } from "../contract/attempt-event.ts";
import * as contract from "../contract/routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { Ingest } from "./ingest.ts";
import { readEvents } from "./read-events.ts";

export function ingestRoutes(deps: {
  ingest: Ingest;
  limit: IngestLimit;
  rawRetentionDays: number;
}): BoundRoute[] {
  return [
    bindRoute(contract.postAttempts, async ({ principal, project, body, req }) => {
      const received = readEvents(body, req.headers["content-type"]);
      deps.limit.spend(principal, received.events.length);
      return deps.ingest(project.id, received);
    }),
    bindRoute(contract.getLimits, async ({ nowMs }) => ({
      rawRetentionDays: deps.rawRetentionDays,
      maxEventsPerRequest: MAX_EVENTS_PER_REQUEST,
      maxBodyBytes: MAX_BODY_BYTES,
      now: new Date(nowMs).toISOString(),
    })),
  ];
}
