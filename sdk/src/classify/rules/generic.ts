import type { Rule } from "../rule.ts";

/**
 * What anybody may say, in words that mean one thing: keys first, then sizes, content and money, then room, then
 * own limits. Overload comes before rate limits, money before both.
 */
export const GENERIC: readonly Rule[] = [
  {
    id: "generic/key",
    outcome: "auth",
    code: "invalid_api_key | missing_api_key | invalid_authentication_error | incorrect_api_key_error | wrong_api_key | key_required | token_expired | auth_invalid_key | api_key_required | invalid_token | expired_token",
    text: "incorrect api key | invalid api key | api key not valid | api key is invalid | api key invalid | invalid x api key | wrong api key | no api key provided | missing api key | api key is required | api key required | api key is missing | api key not found | api key does not exist | api key must be | api key client option must be set | didnt provide an api key | provide your api key | api key has expired | invalid access token | access token invalid | access token expired | token is invalid | token expired | token has expired | invalid token | invalid bearer token | missing authorization | authorization header | invalid authentication | authentication fails | could not validate credentials | bad credentials | invalid credentials | invalid username or password | not authenticated | missing authentication | no api key | need to sign in | authentication parameter | hmac signature | please sign in | api keys are not supported | oauth token .. expired | user not found | 无效的api key | 身份验证 | 令牌已过期 | 鉴权失败 | 认证失败 | auth unavailable",
    unless: "ip address",
    because: "The key or token is missing, wrong or expired.",
  },
  {
    id: "generic/context-length",
    outcome: "context_length",
    code: "context_length_exceeded | context_window_exceeded | string_above_max_length | max_tokens_exceeded | prompt_too_long | ContextWindowExceededError | input_too_long",
    text: "maximum context length | max context length | context length exceeded | exceed* .. context length | exceed* .. context window | exceed* .. context limit | exceeds the context | context window .. exceed* | exceed* context size | context window limit | context size has been exceeded | prompt is too long | prompt too long | prompt tokens too long | input is too long | input too long | maximum prompt length | maximum number of tokens allowed | input token count | longer than the models context length | longer than the maximum model length | longer than the context | reduce the length of the messages | reduce the length of your prompt | too many tokens total | too many input tokens | exceeds max length | exceeds maximum input length | input length exceeds | token limit of the model | range of input length | token数量超过上限 | 输入过长 | 超过最大长度 | 超出最大长度 | 上下文长度 | tokens .. exceed context window",
    unless: "per minute | per day | time frame | to increase visit | tpm | rate limit",
    because: "Prompt and answer are longer than the model's window.",
  },
  {
    id: "generic/content",
    outcome: "content_filter",
    code: "content_filter | ContentPolicyViolationError | sensitive_content",
    text: "content filter* | content policy | content moderation | blocked by our safety | safety filter* | safety system | moderation .. flagged | flagged .. moderation | violates .. policy | unsafe content | inappropriate content | sensitive content | nsfw | content exists risk | 敏感内容 | 内容审核 | 不安全或敏感 | 违规内容 | 涉嫌违规 | 风险内容 | 内容安全",
    because: "A safety filter stopped the prompt or the answer.",
  },
  {
    id: "generic/money",
    outcome: "quota",
    code: "payment_required | insufficient_balance | insufficient_funds | billing_error | INSUFFICIENT_BALANCE | NOT_ENOUGH_BALANCE | balance_not_enough",
    text: "insufficient balance | insufficient credit* | insufficient funds | insufficient account balance | not enough balance | not enough credit* | enough credits | out of credits | balance is insufficient | balance not enough | balance is too low | exceeds your available balance | no credits | credits exhausted | credits .. exhausted | credits have been exhausted | credit limit exceeded | depleted .. credits | add more credits | payment required | past due | bill is overdue | in arrears | payment method | spending limit | spend limit | spending cap | billing hard limit | billing limit | account .. suspended .. billing | top up your | please top up | please recharge | recharge your | add balance | buy a plan | exceeded current quota | monthly quota | monthly limit | monthly usage limit | usage limit set on your key | free trial .. ended | trial .. expired | trial request limit | subscription .. expired | plan has expired | used up your .. allocation | no active free usage | 余额不足 | 余额已用尽 | 账户欠费 | 欠费 | 请充值 | 充值 | 额度不足 | 额度已用 | 额度用尽 | 配额不足 | 配额已用 | 套餐已到期 | 资源包 | 免费额度 | 已用尽",
    unless: "load balance* | rate limit reached for | per minute",
    because: "Money or plan is used up; waiting minutes does not help.",
  },
  {
    id: "generic/your-quota",
    outcome: "quota",
    text: "exceeded your current quota | check your plan and billing | quota and bonus",
    unless: "per minute | per day | resource exhausted | rate limit* | tpm | rpm",
    because: "The plan's quota is used up.",
  },
  {
    id: "generic/own-limit-only",
    outcome: "rate_limit",
    text: "usage limit reached | hit your usage limit | reached your usage limit | reached .. usage limit | usage limit exceeded",
    retryable: "wait",
    scope: "account",
    because: "The plan's allowance for some hours or days is used up.",
  },
  {
    id: "generic/overloaded",
    outcome: "capacity",
    code: "overloaded | model_overloaded | capacity | no_capacity | out_of_capacity | no_available_workers | server_busy | engine_overloaded",
    text: "overloaded | over loaded | overload | over capacity | at capacity | at full capacity | no capacity | out of capacity | capacity temporarily | insufficient capacity | capacity temporarily unavailable | capacity .. unavailable | lack of capacity | capacity exceeded | capacity limits | high demand | heavy demand | high load | heavy load | high traffic | heavy traffic | high volume of requests | high concurrency load | high amounts of traffic | experiencing heavy | too busy | server busy | server is busy | servers are busy | currently busy | system is busy | service busy | engine busy | llm busy | model is busy | model busy | really busy | no available workers | no available worker | no available backend | no available instance* | no instances available | no available server* | no healthy upstream | no workers available | no slots | queue is full | queue full | queue .. full | queue limit | queue size exceeded | pending requests exceeded | still loading | is loading | currently loading | loading model | warming up | cold start | being provisioned | not ready to serve | peak load | peak hours | resources are busy | resources busy | gpu .. unavailable | unavailable due to high | server is currently under | 过载 | 服务繁忙 | 系统繁忙 | 服务忙 | 繁忙 | 负载过高 | 负载已饱和 | 访问量过大 | 请求过多 | 流量过大 | 容量不足 | 资源不足 | 排队 | 拥挤 | 高峰",
    unless:
      "capacity exceed limit | native context | token capacity required | your capacity | peak hours are | may indicate the origin is overloaded | concurrency limit",
    because: "The provider has no room for now.",
  },
  {
    id: "generic/daily",
    outcome: "rate_limit",
    text: "requests per day | tokens per day | per day limit | limit per day | daily limit | daily quota | daily request limit | daily usage | daily token | request limit for today | rpd | tpd | per day | calls per day | 今日 | 每日 | 当日 | 日流控 | 每天",
    unless: "neurons",
    retryable: "wait",
    because: "The allowance of the day is used up.",
  },
  {
    id: "generic/rate",
    outcome: "rate_limit",
    code: "concurrency_limit_error | concurrency_limit_exceeded | too_many_concurrent_requests | requests_per_minute_limit_exceeded",
    text: "rate limit | rate limited | rate limiting | rate limits | ratelimit | ratelimited | too many requests | too many concurrent | too many tokens | requests per minute | requests per second | tokens per minute | per minute limit | per second limit | concurrency limit | concurrent request* limit | concurrent requests | concurrency .. exceed* | max concurrency | maximum concurrent | parallel request* | max parallel | request limit | requests limit | tpm | rpm | qps | rps | throttl* | throttled | too frequent* | too fast | slow down | reached the request limit | request frequency | limit_rpm | 频率 | 并发 | 限流 | 限速 | 流控 | 流量限制 | 流量受限 | 请求过快 | 请求太频繁 | 过于频繁 | 速率限制",
    unless: "prompt is too long | not rate limited",
    because: "The caller's own allowance per time is used up.",
  },
  {
    id: "generic/quota-word",
    outcome: "quota",
    text: "quota exceeded | out of quota | exceeded .. quota | quota .. exhausted | quota .. exceeded | no quota | over quota | usage cap | 配额",
    because: "A quota is used up, and nothing says that it comes back by the minute.",
  },
  {
    id: "generic/permission",
    outcome: "permission",
    code: "PERMISSION_DENIED | permission_denied | permission_error | access_denied | AccessDeniedException | forbidden",
    text: "permission denied | denied on resource | access denied | not authorized to | dont have access | do not have permission | have no permission | not have access to | no access to model | not allowed to | ip address not allowed | ip not allowed | not available in your country | not available in your region | region .. not supported | terms of service | requires terms | upgrade to an active | model .. blocked | is not enabled for | not permitted | account .. suspended | account .. disabled | account .. banned | 没有权限 | 无权限 | 未开通 | 未授权 | 封禁",
    unless: "does not exist | legacy",
    because: "The caller is known and not allowed this.",
  },
  {
    id: "generic/no-such-model",
    outcome: "not_found",
    code: "model_not_found | ModelNotFound | unknown_model | invalid_model | not_found_error | NotFoundError | NOT_FOUND | ResourceNotFoundException | model_not_available | deployment_not_found | ModelError | model_error | invalid_model_error",
    text: "model not found | model .. not found | model .. does not exist | does not exist or you do not have access | no such model | model .. is not supported | model .. not supported | unknown model | unsupported model | invalid model | model .. is not available | model .. not available | model is unavailable for | model .. no longer available | model .. deprecated | model .. decommissioned | model .. retired | reached its end of life | end of life | page not found | no longer supported | promotion has ended | try pulling it first | engine not found | 模型不存在 | 不存在的模型 | 模型 .. 不存在",
    unless:
      "chat completions api | internal server error | parameter | does not support | not supported with this model",
    because: "The model or path does not exist, or no longer.",
  },
  {
    id: "generic/cancelled",
    outcome: "cancelled",
    code: "APIUserAbortError | aborted=true | client_closed_request | ERR_CANCELED | CanceledError | CancelledError | code=499",
    text: "context canceled | context cancelled | request was aborted | user aborted | aborted by user | aborted by the user | cancelled by user | canceled by user | operation was canceled | operation was cancelled | request canceled | request cancelled | client disconnected | client closed request | statuscode canceled | keyboard interrupt | 用户取消",
    unless: "timeout | timed out | deadline",
    because: "The caller gave up.",
  },
  {
    id: "generic/timeout",
    outcome: "timeout",
    code: "ETIMEDOUT | ESOCKETTIMEDOUT | UND_ERR_HEADERS_TIMEOUT | UND_ERR_BODY_TIMEOUT | UND_ERR_CONNECT_TIMEOUT | TimeoutError | APITimeoutError | APIConnectionTimeoutError | timeout_error | ECONNABORTED | request_timeout | timeout | aborted=false | ReadTimeout | ConnectTimeout | GatewayTimeoutError | ERR_TIMEOUT",
    text: "timed out | timeout | time out | timeout error | deadline exceeded | read timeout | connect timeout | took too long | request timeout | gateway timeout | no response within | did not respond in time | idle timeout | within the timeout | 超时",
    unless: "timeout must be | invalid timeout | timeout parameter",
    because: "No complete answer came in time.",
  },
  {
    id: "generic/network",
    outcome: "network",
    code: "ECONNRESET | ECONNREFUSED | ENOTFOUND | EAI_AGAIN | EPIPE | EHOSTUNREACH | ENETUNREACH | ENETDOWN | UND_ERR_SOCKET | UND_ERR_CLOSED | ERR_STREAM_PREMATURE_CLOSE | ERR_NETWORK | CERT_HAS_EXPIRED | DEPTH_ZERO_SELF_SIGNED_CERT | SELF_SIGNED_CERT_IN_CHAIN | UNABLE_TO_VERIFY_LEAF_SIGNATURE | ERR_TLS_CERT_ALTNAME_INVALID | EPROTO | ConnectionRefused | ConnectionClosed | FailedToOpenSocket | HPE_INVALID_CONSTANT",
    text: "fetch failed | failed to fetch | network error | networkerror when attempting | connection reset | connection refused | connection error | connection aborted | connection closed | connection was closed | connection failed | connection lost | connection interrupted | error communicating with | failed to connect | could not connect | cannot connect | failed to establish a new connection | remote end closed | server disconnected | peer closed connection | incomplete chunked read | response payload is not completed | premature close | prematurely | premature eof | unexpected eof | unexpected end of file | socket hang up | other side closed | socket connection was closed | socket closed | websocket closed | websocket .. closed before | broken pipe | stream closed | stream disconnected | stream ended | stream error | stream request failed | stream reset | name or service not known | name resolution | getaddrinfo | no such host | nodename nor servname | dns | no route to host | network is unreachable | host unreachable | ssl | tls | certificate | handshake failed | eof occurred | error reading a body | error decoding response body | error sending request | http2 .. goaway | goaway | invalid error response format | econnreset | econnrefused | enotfound | etimedout | epipe | terminated | load failed | chunked encoding | upstream connect error | request url is missing | transport error | connect error | websocket | connection .. dropped",
    unless: "websocket bad handshake | runner process",
    because: "The connection broke or never came about.",
  },
];
