import type { Rule } from "../rule.ts";

/**
 * Signs that say little and are asked last: general types, class names, stock phrases; then the bare status.
 * Wrappers put them on anything, so every better sign beats them.
 */
export const WEAK: readonly Rule[] = [
  {
    id: "weak/capacity-type",
    outcome: "capacity",
    code: "service_unavailable_error | ServiceUnavailable | ServiceUnavailableError | UNAVAILABLE | engine_overloaded_error",
    text: "service unavailable error",
    unless: "html | internal server error",
    because: "The type says that the service has no room or is away.",
  },
  {
    id: "weak/rate-type",
    outcome: "rate_limit",
    code: "rate_limit_error | rate_limit_exceeded | rate_limit_reached | rate_limited | RateLimitError | too_many_requests | too_many_requests_error | tokens | requests | RESOURCE_EXHAUSTED | resource_exhausted | REQUEST_LIMIT_EXCEEDED | TooManyRequests | exhausted=requests | exhausted=tokens | exhausted=input-tokens | exhausted=output-tokens | FreeUsageLimitError",
    text: "resource exhausted",
    because: "The type says rate limit, and nothing says otherwise.",
  },
  {
    id: "weak/auth-type",
    outcome: "auth",
    code: "authentication_error | AuthenticationError | AuthError | unauthorized | UNAUTHENTICATED | auth_error",
    because: "The type says that the key is not accepted.",
  },
  {
    id: "weak/validation",
    outcome: "invalid_request",
    code: "ValidationException | INVALID_ARGUMENT | FAILED_PRECONDITION | extra_forbidden | value_error | missing_required_parameter | invalid_value | unsupported_parameter | unsupported_value | unknown_parameter | InvalidParameter | invalid_parameter_error",
    text: "unsupported parameter | unknown parameter | unsupported value | invalid value | invalid type | missing required | field required | extra inputs are not permitted | extra fields not permitted | validation error | must be a | must be one of | must not be empty | must alternate | must be less than | must be greater than | should be greater than | is not allowed | is not supported | does not support | invalid json | could not parse | failed to parse | malformed | invalid request | bad request | invalid parameter | unprocessable | unexpected role | invalid user message | 参数错误 | 参数不合法 | 参数无效 | 非法参数",
    unless: "upstream | invalid request error",
    status: "400 | 404 | 405 | 409 | 411 | 412 | 413 | 415 | 422 | 200",
    because: "A field of the request is missing, wrong or unknown.",
  },
  {
    id: "weak/server-text",
    outcome: "server_error",
    code: "INTERNAL | server_error | internal_error | internal_server_error | InternalServerError | api_error | InternalError",
    text: "internal server error | internal error | internal service error | server had an error | unexpected error | unknown error | something went wrong | an error occurred while processing | bad gateway | upstream error | server error | service returned an error | runner process | engine dead error | core encountered an issue | upstream communication error | temporarily unavailable | try again later | 内部错误 | 系统错误 | 服务异常 | 服务器错误 | 未知错误",
    status: "5xx | 200",
    because: "The provider or a gateway failed by itself.",
  },
  {
    id: "weak/no-answer",
    outcome: "server_error",
    text: "no content tokens | empty response | empty reply | no response from | returned no content | no output generated | no candidates",
    because: "An answer came, and nothing was in it.",
  },
  {
    id: "weak/aborted",
    outcome: "cancelled",
    code: "AbortError | ABORT_ERR",
    text: "abort error | this operation was aborted | operation was aborted | the user aborted | aborted | canceled | cancelled",
    because: "Something aborted the call, and nothing says that it was a time-out.",
  },
  {
    id: "weak/network-class",
    outcome: "network",
    code: "APIConnectionError | ConnectionError | ConnectError | NetworkError | RemoteProtocolError | ProtocolError | FetchError | ReadError | ClientConnectorError",
    because: "The client's class says that the connection failed.",
  },
  {
    id: "status/page-503",
    outcome: "server_error",
    code: "page=html",
    status: "503",
    because: "A proxy's page: what it stands before is away.",
  },
  {
    id: "status/401",
    outcome: "auth",
    status: "401 | 407",
    because: "The status says that the key is not accepted.",
  },
  { id: "status/402", outcome: "quota", status: "402", because: "The status says that payment is missing." },
  {
    id: "status/403",
    outcome: "permission",
    status: "403 | 451",
    because: "The status says that it is not allowed.",
  },
  {
    id: "status/404",
    outcome: "not_found",
    status: "404 | 410",
    because: "The status says that it is not there.",
  },
  {
    id: "status/408",
    outcome: "timeout",
    status: "408 | 504 | 524 | 598",
    because: "The status says that time ran out.",
  },
  {
    id: "status/499",
    outcome: "cancelled",
    status: "499",
    because: "The status says that the caller hung up.",
  },
  {
    id: "status/429",
    outcome: "rate_limit",
    status: "429 | 420",
    because: "The status says too many requests, and nothing else is known.",
  },
  {
    id: "status/capacity",
    outcome: "capacity",
    status: "503 | 529 | 498",
    because: "The status says that there is no room.",
  },
  {
    id: "status/origin",
    outcome: "network",
    status: "520 | 521 | 522 | 523 | 525 | 526 | 527 | 530",
    because: "The edge could not reach the provider's servers.",
  },
  { id: "status/4xx", outcome: "invalid_request", status: "4xx", because: "The status blames the request." },
  {
    id: "status/5xx",
    outcome: "server_error",
    status: "5xx",
    because: "The status says that the server failed.",
  },
  {
    id: "status/ok",
    outcome: "ok",
    status: "2xx",
    unless: "thrown",
    because: "The status says success, and no error is in the answer.",
  },
  {
    id: "weak/server-text-unseen",
    outcome: "server_error",
    code: "INTERNAL | server_error | internal_server_error | InternalServerError",
    text: "internal server error | system encountered an unexpected error | server had an error | bad gateway | provider returned error | upstream error",
    unless: "rate",
    because: "The provider or a gateway failed by itself.",
  },
];
