import { AppError } from "../http/app-error.ts";
import type { AttemptLimit } from "./attempt-limit.ts";

export interface SignInLimit {
  /**
   * Counts an attempt before it is looked at, so that many at once are no way around, and whether or not there is
   * such a person: the answer tells nothing of that.
   *
   * @throws AppError 429
   */
  begin(mail: string, place: string): void;
  /** It was a good one. */
  succeed(mail: string, place: string): void;
}

export function createSignInLimit({
  byMail,
  byPlace,
}: {
  byMail: AttemptLimit;
  byPlace: AttemptLimit;
}): SignInLimit {
  return {
    begin(mail, place) {
      const waitMs = Math.max(byMail.waitMs(mail), byPlace.waitMs(place));
      if (waitMs > 0) throw tooManyAttempts(Math.ceil(waitMs / 1_000));
      byMail.fail(mail);
      byPlace.fail(place);
    },
    succeed(mail, place) {
      byMail.forget(mail);
      byPlace.undo(place);
    },
  };
}

function tooManyAttempts(waitSeconds: number): AppError {
  return new AppError({
    status: 429,
    code: "too_many_attempts",
    title: "Too many attempts to sign in",
    detail: `Wait ${Math.ceil(waitSeconds / 60)} minutes. A sign-in link works at once.`,
    headers: { "Retry-After": String(waitSeconds) },
  });
}
