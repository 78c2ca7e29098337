import type { RuleTable } from "../rule.ts";

/**
 * Signs that say little and are asked last: general types, class names, stock phrases. Wrappers put them on
 * anything, so every better sign beats them.
 */
export const WEAK: RuleTable = {
  "capacity:status": { status: "529 498" },
  capacity: {
    code: "UNAVAILABLE",
    text: "service unavailable | service temporarily unavailable | service is currently unavailable",
    unless: "html | internal server error | connect error",
  },
  rate_limit: {
    code: "tokens requests exhausted=requests exhausted=tokens exhausted=input-tokens exhausted=output-tokens",
    text: "resource exhausted",
  },
  auth: {
    code: "authentication_error AuthError auth_error",
  },
  invalid_request: {
    text:
      "validation exception | failed precondition | extra forbidden | value error | unsupported/unknown/invalid/missing parameter/value/type/field | inputs/fields are/not not/permitted permitted | extra inputs | validation error | must/should be less/greater | is not allowed/supported | does not support | could not parse | failed to parse | malformed | bad request | unprocessable | invalid request error | unexpected role | " +
      "参数",
    status: "400 404 405 409 411 412 413 415 422 501 200 0",
  },
  server_error: {
    code: "INTERNAL api_error",
    text:
      "internal error | internal service error | unexpected/unknown error | something went wrong | error occurred while | bad gateway | upstream error | server error | service returned an error | runner process | encountered an issue | upstream communication | temporarily unavailable | provider returned error | try again later | " +
      "内部错误 | 系统错误 | 服务异常 | 服务器错误 | 未知错误",
    status: "5xx 200 0",
  },
  "server_error:empty": {
    text: "no content tokens | empty response/reply | no response from | returned no content | no output generated | no candidates",
  },
  cancelled: { text: "abort error | abort err | aborted | canceled | cancelled | interrupted by user" },
  network: {
    text: "terminated | hyper | connect/connection error | protocol error | fetch error | read error | connector error",
  },
  "permission:word": {
    text: "forbidden | permission/permissions | not authorized | terms | disabled | blocked | policies",
    status: "0 400 403",
  },
  "auth:word": {
    text: "api key | credential/credentials | unauthenticated | unauthorized | authenticate/authenticated/authentication | login | signature | 密钥 | 令牌 | 登录",
    status: "400 401 403 0",
  },
  "content_filter:word": {
    text: "safety | flagged | moderation/moderated | harmful | violate/violates/violated/violation/violations",
    status: "400 403 422 0",
  },
  "quota:word": {
    text: "credit/credits | balance | billing | payment | subscription | quota | budget | free tier | upgrade",
    unless: "per minute",
    status: "400 402 403 0",
  },
  "context_length:word": {
    text: "context | prompt/input/token/tokens .. long/exceed*/maximum/large/limit | resulted in .. tokens",
    unless: "per minute | rate",
    status: "400 413 422 500 0",
  },
  "not_found:word": { text: "not found | not exist | removed | deprecated", status: "0" },
  "server_error:word": {
    text: "crashed | cuda | failed to generate | not responding | upstream | unexpected token | json decode | 上游 | during streaming | input stream | returned an error | invalid content",
    status: "0",
  },
  "invalid_request:word": {
    text: "unrecognized | required | invalid | unsupported | not supported | expected | unexpected keyword | unmarshal | cannot be | too large | number of | must | could not process | reduce | maximum | check your",
    status: "0",
  },
  "rate_limit:word": { text: "limit/limits exceeded/reached/hit", status: "0" },
  "network:word": { text: "connect/connecting/connected/connection | incomplete response", status: "0" },
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
  "auth:word": "It speaks of keys or logging in, and nothing says otherwise.",
  "content_filter:word": "It speaks of safety or policy, and nothing says otherwise.",
  "quota:word": "It speaks of money or plans, and nothing says otherwise.",
  "context_length:word": "It speaks of length, and nothing says otherwise.",
  "permission:word": "It says that something is not allowed, and no status says otherwise.",
  "not_found:word": "It says that something is not there, and no status says otherwise.",
  "invalid_request:word": "It complains of a value, and no status says otherwise.",
  "rate_limit:word": "It speaks of a limit, and nothing says of which.",
  "network:word": "It speaks of a connection, and no status says otherwise.",
  "server_error:word": "It says that something failed there, and no status says otherwise.",
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
  "server_error:within": { code: "has=erred", status: "2xx", unless: "success/成功" },
  ok: { status: "2xx", unless: "thrown" },
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
  "server_error:within": "The status says success, and an error without a known name is in the answer.",
  ok: "The status says success, and no error is in the answer.",
};
