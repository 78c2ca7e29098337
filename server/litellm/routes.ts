import type { IngestLimit } from "../access/ingest-limit.ts";
import * as contract from "../contract/routes.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import type { Ingest } from "../ingest/ingest.ts";
import { LITELLM } from "../sources/way.ts";
import { collectAttempts } from "./collect-attempts.ts";
import { readPayloads } from "./read-payloads.ts";

/** What a payload calls the fields that an event has. */
const POINTERS = { "/occurredAt": "/startTime", "/provider": "/custom_llm_provider", "/model": "/model" };

export function litellmRoutes({ ingest, limit }: { ingest: Ingest; limit: IngestLimit }): BoundRoute[] {
  return [
    bindRoute(contract.postLitellm, async ({ principal, project, query, body }) => {
      const { events, places, ignored } = collectAttempts(readPayloads(body), query.source ?? "litellm");
      limit.spend(principal, events.length);
      const answer = await ingest(project.id, {
        format: "litellm",
        note: null,
        events,
        places,
        ways: events.map(() => LITELLM),
        pointers: POINTERS,
      });
      return { ...answer, ignored };
    }),
  ];
}
