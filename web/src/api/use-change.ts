import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ApiError } from "./api-error.ts";
import { sendJson } from "./client.ts";

interface Change {
  readonly method: "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly body?: unknown;
}

/** Sends a change, and has everything asked for anew that may look different after it. */
export function useChange<T = unknown>(onDone?: (answer: T) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ method, path, body }: Change) => sendJson<T>(method, path, body),
    onSuccess: async (answer) => {
      onDone?.(answer);
      await queries.invalidateQueries();
    },
    // Somebody else was faster: what is shown is not so any more.
    onError: (error) => {
      if (error instanceof ApiError && error.status === 409) queries.invalidateQueries();
    },
  });
}
