import type { RuleTable } from "../rule.ts";

/**
 * Signs that say little and are asked last: general types, class names, stock phrases. Wrappers put them on
 * anything, so every better sign beats them.
 */
export const WEAK: RuleTable = {
  "capacity:status": { status: "529 498" },
  capacity: {
    code: "service_unavailable_error ServiceUnavailableError UNAVAILABLE",
    text: "service unavailable | service is currently unavailable",
    unless: "html | internal server error | connect error",
  },
  rate_limit: {
    code: "tokens requests TooManyRequests FreeUsageLimitError exhausted=requests exhausted=tokens exhausted=input-tokens exhausted=output-tokens",
    text: "resource exhausted",
  },
  auth: {
    code: "authentication_error AuthenticationError AuthError unauthorized UNAUTHENTICATED auth_error",
  },
  invalid_request: {
    text:
      "validation exception | invalid argument | failed precondition | extra forbidden | value error | unsupported/unknown/invalid/missing parameter/value/type/field | missing required | field required | inputs/fields are/not not/permitted permitted | extra inputs | validation error | must be a/one | must not be empty | must alternate | must/should be less/greater | is not allowed/supported | does not support | invalid json | could not parse | failed to parse | malformed | bad request | unprocessable | unexpected role | invalid user message | " +
      "参数",
    unless: "upstream",
    status: "400 404 405 409 411 412 413 415 422 200",
  },
  server_error: {
    code: "INTERNAL api_error",
    text:
      "internal server error | internal error | internal service error | server had an error | unexpected/unknown error | something went wrong | error occurred while | bad gateway | upstream error | server error | service returned an error | runner process | encountered an issue | upstream communication | temporarily unavailable | try again later | " +
      "内部错误 | 系统错误 | 服务异常 | 服务器错误 | 未知错误",
    status: "5xx 200",
  },
  "server_error:empty": {
    text: "no content tokens | empty response/reply | no response from | returned no content | no output generated | no candidates",
  },
  cancelled: { text: "abort error | abort err | aborted | canceled | cancelled" },
  network: {
    text: "terminated | connect/connection error | protocol error | fetch error | read error | connector error",
  },
};

export const WEAK_REASONS: Readonly<Record<string, string>> = {
  "capacity:status": "These statuses were made for servers without room.",
  capacity: "The type says that the service has no room or is away.",
  rate_limit: "The type or a header says rate limit, and nothing says otherwise.",
  auth: "The type says that the key is not accepted.",
  invalid_request: "A field of the request is missing, wrong or unknown.",
  server_error: "The provider or a gateway failed by itself.",
  "server_error:empty": "An answer came, and nothing was in it.",
  cancelled: "Something aborted the call, and nothing says that it was a time-out.",
  network: "The client's class says that the connection failed.",
};

/** The bare status, when nothing else is known. */
export const STATUS: RuleTable = {
  "server_error:page": { code: "page=html", status: "503" },
  auth: { status: "401 407" },
  quota: { status: "402" },
  permission: { status: "403 451" },
  not_found: { status: "404 410" },
  timeout: { status: "408 504 524 598" },
  cancelled: { status: "499" },
  rate_limit: { status: "429 420" },
  capacity: { status: "503" },
  network: { status: "520 521 522 523 525 526 527 530" },
  invalid_request: { status: "4xx" },
  server_error: { status: "5xx" },
  ok: { status: "2xx", unless: "thrown" },
  "server_error:words": {
    text: "internal server error | server had an error | bad gateway | provider returned error | upstream error | server error",
    unless: "rate",
  },
  "invalid_request:words": {
    text: "validation exception | validation error | invalid request error | bad request | unprocessable entity | invalid argument",
  },
  "auth:words": { text: "authentication error | unauthorized" },
  "not_found:words": { text: "not found error" },
};

export const STATUS_REASONS: Readonly<Record<string, string>> = {
  "server_error:page": "A proxy's page: what it stands before is away.",
  auth: "The status says that the key is not accepted.",
  quota: "The status says that payment is missing.",
  permission: "The status says that it is not allowed.",
  not_found: "The status says that it is not there.",
  timeout: "The status says that time ran out.",
  cancelled: "The status says that the caller hung up.",
  rate_limit: "The status says too many requests, and nothing else is known.",
  capacity: "The status says that there is no room.",
  network: "The edge could not reach the provider's servers.",
  invalid_request: "The status blames the request.",
  server_error: "The status says that the server failed.",
  ok: "The status says success, and no error is in the answer.",
  "invalid_request:words": "It says no more than that the request was wrong.",
  "auth:words": "It says no more than that the key was not accepted.",
  "not_found:words": "It says no more than that something is not there.",
  "server_error:words": "It says no more than that a server failed.",
};
