import type { RuleTable } from "../rule.ts";

/** What Gemini, Vertex AI and Code Assist say, in Google's shape of errors. */
export const GOOGLE: RuleTable = {
  capacity: { code: "MODEL_CAPACITY_EXHAUSTED" },
  "capacity:shared-pool": { text: "error code 429 for more details" },
  auth: {
    code: "API_KEY_INVALID",
    text: "invalid grant | refresh access token | reauthentication",
  },
  permission: {
    code: "SERVICE_DISABLED CONSUMER_SUSPENDED CONSUMER_INVALID IAM_PERMISSION_DENIED VALIDATION_REQUIRED",
    text: "api key .. blocked | scope insufficient | location is not supported | free tier is not available | not been used in project | reported as leaked",
  },
  quota: {
    code: "INSUFFICIENT_G1_CREDITS_BALANCE",
    text: "billing disabled | billing not enabled | billing to be enabled | prepayment credits",
  },
  "quota:of-zero": {
    code: "limit=0",
    also: "resource exhausted | quota exceeded | exceeded your current quota | quota metric | rate limit",
    retryable: false,
  },
  "rate_limit:per-day": {
    code: "RESOURCE_EXHAUSTED",
    text: "exceeded your current quota",
    also: "per day | daily limit",
    unless: "bedrock",
    retryable: false,
  },
  "rate_limit:yours": { text: "exhausted your capacity | quota will reset after" },
  rate_limit: {
    code: "RESOURCE_EXHAUSTED",
    text: "quota exceeded for quota metric | quota exceeded for metric | quota exceeded for aiplatform | check quota",
    unless: "worker | overload* | high demand | over capacity | no capacity | queue",
  },
  server_error: { text: "malformed function call | unexpected tool call" },
  timeout: { text: "deadline expired | deadline exceeded", unless: "first token" },
  content_filter: {
    text: "quick accessor | prompt was blocked | prohibited content | spii | blocklist",
    code: "blockreason=SAFETY blockreason=OTHER finishreason=SAFETY finishreason=RECITATION",
  },
  not_found: {
    text: "not found for api version | publisher model .. not found/servable | is not found for api",
  },
};

export const GOOGLE_REASONS: Readonly<Record<string, string>> = {
  capacity: "The model's servers are full; this reason beats the others beside it.",
  "capacity:shared-pool": "The pool that all customers share is full; no quota of the project is.",
  auth: "The key or token is missing, wrong, expired or of the wrong kind.",
  permission: "The project, the key's restrictions or the place do not allow it.",
  quota: "Billing is off, or a cap of money is reached.",
  "quota:of-zero": "The limit is 0 for this project, tier or region: it never frees, whatever wait is named.",
  "rate_limit:per-day": "The quota of the day is used up; the short wait beside it is that of the minute.",
  "rate_limit:yours": '"Your capacity" is the user\'s own allowance.',
  rate_limit: "The project's allowance per minute is used up.",
  server_error: "The model wrote a call of a tool that nobody can read; another try may not.",
  timeout: "Google's own deadline passed.",
  content_filter: "A safety filter stopped the prompt or the answer.",
  not_found: "The model does not exist here, or not for this method.",
};
