import { MAX_BODY_BYTES, MAX_EVENTS_PER_REQUEST } from "../contract/attempt-event.ts";
import * as contract from "../contract/routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { Ingest } from "./ingest.ts";
import { readEvents } from "./read-events.ts";

export function ingestRoutes(deps: { ingest: Ingest; rawRetentionDays: number }): BoundRoute[] {
  return [
    bindRoute(contract.postAttempts, async ({ project, body, req }) =>
      deps.ingest(project.id, readEvents(body, req.headers["content-type"])),
    ),
    bindRoute(contract.getLimits, async ({ nowMs }) => ({
      rawRetentionDays: deps.rawRetentionDays,
      maxEventsPerRequest: MAX_EVENTS_PER_REQUEST,
      maxBodyBytes: MAX_BODY_BYTES,
      now: new Date(nowMs).toISOString(),
    })),
  ];
}
