/**
 * How one attempt ended. A closed list: every screen, rule and export uses these names and no others.
 *
 * `capacity` (they had no room) is not `rate_limit` (we sent too much); `unknown` means that nobody has named
 * the failure yet; `bad_output` is made by our own output check, never by a provider.
 */
export const OUTCOMES = [
  "ok",
  "capacity",
  "rate_limit",
  "quota",
  "auth",
  "permission",
  "not_found",
  "invalid_request",
  "context_length",
  "content_filter",
  "timeout",
  "network",
  "server_error",
  "cancelled",
  "unknown",
  "bad_output",
] as const;

export type Outcome = (typeof OUTCOMES)[number];

/** Whose doing an outcome is. `nobody` is a success; `unclear` is a failure that nobody has named yet. */
export type Fault = "nobody" | "provider" | "caller" | "path" | "unclear";

export interface OutcomeTraits {
  /** `soft` passes by itself; `hard` stays until somebody changes something; `none` is no failure. */
  readonly severity: "none" | "soft" | "hard";
  /** Whether sending the same call again may help. */
  readonly isRetryable: boolean;
  readonly fault: Fault;
  /**
   * Whether the attempt says something about the provider's room, and so belongs into the denominator of the
   * capacity share. The caller's own faults and cancelled calls do not.
   */
  readonly isCounted: boolean;
}

const soft = (fault: Fault): OutcomeTraits => ({
  severity: "soft",
  isRetryable: true,
  fault,
  isCounted: true,
});
const hard = (fault: Fault): OutcomeTraits => ({
  severity: "hard",
  isRetryable: false,
  fault,
  isCounted: false,
});

/** The one table of what each outcome means. */
export const OUTCOME_TRAITS: Readonly<Record<Outcome, OutcomeTraits>> = {
  ok: { severity: "none", isRetryable: false, fault: "nobody", isCounted: true },
  capacity: soft("provider"),
  rate_limit: soft("caller"),
  quota: hard("caller"),
  auth: hard("caller"),
  permission: hard("caller"),
  not_found: hard("caller"),
  invalid_request: hard("caller"),
  context_length: hard("caller"),
  content_filter: hard("caller"),
  timeout: soft("provider"),
  network: soft("path"),
  server_error: soft("provider"),
  cancelled: { severity: "none", isRetryable: false, fault: "caller", isCounted: false },
  unknown: { severity: "soft", isRetryable: false, fault: "unclear", isCounted: true },
  bad_output: hard("caller"),
};
