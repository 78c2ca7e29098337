import type { Failure } from "../classify/classification.ts";
import { parse } from "./sse.ts";

type Thrown = {
  readonly [key: string]: unknown;
};

/** What a client threw, taken apart as far as its class tells: status and body of the answer behind it. */
export function readClientError(exception: unknown): Failure {
  if (typeof exception !== "object" || exception === null) return { exception };
  const thrown = exception as Thrown;
  const metadata = thrown["$metadata"] as Thrown | undefined;
  const status = [thrown["statusCode"], thrown["status"], metadata?.["httpStatusCode"]].find(
    (value): value is number => typeof value === "number",
  );
  const text = thrown["responseBody"];
  const body = typeof text === "string" && text !== "" ? (parse(text) ?? text) : undefined;
  return { exception, status, body };
}

/** Whether what was thrown says that the caller wanted no more. */
export function isAbort(exception: unknown, signal: AbortSignal | undefined): boolean | undefined {
  if (signal?.aborted === true)
    return (signal.reason as { name?: unknown } | undefined)?.name !== "TimeoutError";
  return (exception as { name?: unknown } | undefined)?.name === "AbortError" ? true : undefined;
}
