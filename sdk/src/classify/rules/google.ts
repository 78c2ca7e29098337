import type { Rule } from "../rule.ts";

/** What Gemini, Vertex AI and Code Assist say, in Google's shape of errors. */
export const GOOGLE: readonly Rule[] = [
  {
    id: "google/model-capacity",
    outcome: "capacity",
    code: "MODEL_CAPACITY_EXHAUSTED",
    text: "no capacity available for model",
    because: "The model's servers are full; this reason beats the others beside it.",
  },
  {
    id: "google/key",
    outcome: "auth",
    code: "API_KEY_INVALID | CREDENTIALS_MISSING | ACCESS_TOKEN_EXPIRED | ACCESS_TOKEN_TYPE_UNSUPPORTED | UNAUTHENTICATED | invalid_grant",
    text: "api key expired | invalid grant | default credentials were not found | could not load the default credentials | could not refresh access token | reauthentication is needed",
    because: "The key or token is missing, wrong or of the wrong kind.",
  },
  {
    id: "google/blocked",
    outcome: "permission",
    code: "API_KEY_SERVICE_BLOCKED | API_KEY_HTTP_REFERRER_BLOCKED | API_KEY_IP_ADDRESS_BLOCKED | SERVICE_DISABLED | CONSUMER_SUSPENDED | CONSUMER_INVALID | IAM_PERMISSION_DENIED | ACCESS_TOKEN_SCOPE_INSUFFICIENT | USER_PROJECT_DENIED | VALIDATION_REQUIRED",
    text: "user location is not supported | free tier is not available in your country | has not been used in project .. before or it is disabled | reported as leaked",
    because: "The project, the key's restrictions or the place do not allow it.",
  },
  {
    id: "google/billing",
    outcome: "quota",
    code: "BILLING_DISABLED | BILLING_NOT_ENABLED | INSUFFICIENT_G1_CREDITS_BALANCE",
    text: "requires billing to be enabled | billing to be enabled | monthly spending cap | prepayment credits are depleted | billing account .. closed",
    because: "Billing is off or a cap of money is reached.",
  },
  {
    id: "google/quota-of-zero",
    outcome: "rate_limit",
    code: "limit=0",
    also: "resource exhausted | quota exceeded | exceeded your current quota | quota metric",
    unless: "new capacity in quota",
    retryable: false,
    because: "The limit is 0 for this project, tier or region: it never frees.",
  },
  {
    id: "google/per-day",
    outcome: "rate_limit",
    code: "RESOURCE_EXHAUSTED",
    text: "quota exceeded for quota metric | exceeded your current quota",
    also: "per day | requests per day | daily limit",
    retryable: "wait",
    because: "The quota of the day is used up; the quota's name says so.",
  },
  {
    id: "google/shared-pool",
    outcome: "capacity",
    text: "resource exhausted .. error code 429 | error code 429 for more details | resource exhausted | please try again later | please refer to",
    also: "error code 429 for more details | generative ai docs error code 429",
    because: "The pool that all customers share is full; no quota of the project is.",
  },
  {
    id: "google/your-capacity",
    outcome: "rate_limit",
    text: "exhausted your capacity | quota will reset after",
    because: '"Your capacity" is the user\'s own allowance.',
  },
  {
    id: "google/minute-quota",
    outcome: "rate_limit",
    code: "RESOURCE_EXHAUSTED | rateLimitExceeded",
    text: "quota exceeded for quota metric | quota exceeded for aiplatform | resource has been exhausted | check quota",
    unless: "worker | overloaded | high demand | over capacity | no capacity | queue | max request message",
    because: "The project's allowance per minute is used up.",
  },
  {
    id: "google/deadline",
    outcome: "timeout",
    code: "DEADLINE_EXCEEDED",
    text: "deadline expired before operation | deadline exceeded",
    unless: "first token",
    because: "Google's own deadline passed.",
  },
  {
    id: "google/blocked-content",
    outcome: "content_filter",
    code:
      "blockreason=SAFETY | blockreason=OTHER | blockreason=BLOCKLIST | blockreason=PROHIBITED_CONTENT | blockreason=IMAGE_SAFETY | " +
      "finishreason=SAFETY | finishreason=PROHIBITED_CONTENT | finishreason=BLOCKLIST | finishreason=SPII | finishreason=IMAGE_SAFETY | finishreason=RECITATION",
    text: "response parts quick accessor | response text quick accessor | prompt was blocked | check the response prompt feedback | blocked due to safety | finish reason safety",
    because: "A safety filter stopped the prompt or the answer.",
  },
  {
    id: "google/no-such-model",
    outcome: "not_found",
    text: "not found for api version | publisher model .. not found | publisher model .. not servable | not supported for generate content | is not found for api",
    because: "The model does not exist here, or not for this method.",
  },
];
