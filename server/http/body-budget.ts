import { AppError } from "./app-error.ts";

/** Memory that all bodies together may take while they are read. */
export interface BodyBudget {
  /** @throws AppError 503 when so many bytes more are too many */
  take(bytes: number): void;
  giveBack(bytes: number): void;
}

export function createBodyBudget(maxBytes: number): BodyBudget {
  let takenBytes = 0;
  return {
    take(bytes) {
      if (takenBytes + bytes > maxBytes) throw tooBusy();
      takenBytes += bytes;
    },
    giveBack(bytes) {
      takenBytes -= bytes;
    },
  };
}

function tooBusy(): AppError {
  return new AppError({
    status: 503,
    code: "too_busy",
    title: "Too many large bodies at once",
    detail: "Nothing of this one was stored. Send it again in a moment, or in smaller parts.",
    headers: { "Retry-After": "2" },
  });
}
