import { z } from "zod";
import { ingestAnswer } from "../contract/attempt-event.ts";
import { ImportError } from "./import-error.ts";
import type { SinkAnswer } from "./sink.ts";

/** A response that was read to its end. */
export interface Reply {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly text: string;
}

/** Counts of unknown fields and of missing ids say nothing here: the import made the events. */
const answer = ingestAnswer.pick({ accepted: true, duplicates: true, rejected: true });
const limits = z.object({ rawRetentionDays: z.number() });
const problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  requestId: z.string().optional(),
});

/** What became of a batch. @throws ImportError when the server refused it as a whole */
export function readAnswer(reply: Reply, url: string): SinkAnswer {
  return read(answer, reply, url);
}

/** A server that has no such route has no limit to warn of. @throws ImportError when the server refused */
export function readLimits(reply: Reply, url: string): { rawRetentionDays: number } {
  return reply.status === 404 ? { rawRetentionDays: Number.POSITIVE_INFINITY } : read(limits, reply, url);
}

function read<Shape>(schema: z.ZodType<Shape>, reply: Reply, url: string): Shape {
  if (reply.status < 200 || reply.status > 299) throw new ImportError(describeRefusal(reply, url));
  const parsed = schema.safeParse(tryJson(reply.text));
  if (parsed.success) return parsed.data;
  throw new ImportError(`${url} answered something that Busyhour does not say. Is --url right?`);
}

function describeRefusal({ status, text }: Reply, url: string): string {
  const why = describeProblem(text);
  if (status === 401) return `${url} does not know this key (401). ${why}`.trim();
  if (status === 403) return `this key may not write to ${url} (403). ${why}`.trim();
  return `${url} answered ${status}. ${why}`.trim();
}

/** What the server says is wrong, in one line; empty when it says nothing that can be read. */
function describeProblem(text: string): string {
  const parsed = problem.safeParse(tryJson(text));
  if (!parsed.success) return "";
  const { title, detail, requestId } = parsed.data;
  const sentence = detail ?? title ?? "";
  return requestId === undefined ? sentence : `${sentence} (request ${requestId})`;
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
