import { APICallError } from "@ai-sdk/provider";
import OpenAI from "openai";
import type { LabelledRow } from "./labelled.ts";

/** Whether a client repeats a call that failed thus; `null` where it saw no status to judge by. */
export type RetryRule = (row: LabelledRow) => Promise<boolean | null>;

/** openai-node's own rule, asked of the package as it is installed. */
export function createOpenAiRule(): RetryRule {
  const client = new OpenAI({ apiKey: "none" }) as unknown as {
    shouldRetry(response: Response): Promise<boolean>;
  };
  return async ({ failure }) => {
    if (failure.status === undefined) return null;
    const headers = failure.headers as Record<string, string> | undefined;
    return await client.shouldRetry(
      new Response(null, { status: failure.status, ...(headers && { headers }) }),
    );
  };
}

/** The AI SDK's own rule, asked of the package as it is installed. */
export function createAiSdkRule(): RetryRule {
  return async ({ failure }) => {
    if (failure.status === undefined) return null;
    const error = new APICallError({
      message: "failed",
      url: "https://api.example.com",
      requestBodyValues: {},
      statusCode: failure.status,
    });
    return error.isRetryable;
  };
}
