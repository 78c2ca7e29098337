import type { RuleTable } from "../rule.ts";

/**
 * What anybody may say, in words that mean one thing: keys first, then sizes, content and money, then room, then
 * own limits. Money comes before room, room before rates: wrappers say "rate limit" of everything.
 */
export const GENERIC: RuleTable = {
  auth: {
    text:
      "incorrect/invalid/wrong/missing/no/provide api key | check/set/provide/with your api key | an api key | no api keys provided | api key not valid | valid api key | api key .. invalid/required/missing/expired | key required | key is not set | key not set | key is inactive | key inactive | key错误 | session .. expired | log/logged in | token .. revoked | jwt | auth invalid key | " +
      "invalid/expired/missing/no access/bearer/auth token | invalid token | token invalid/expired | token is/has invalid/expired | " +
      "missing/no/or authorization | authorization header | validate credentials | invalid username | sign in | resolve authentication method | user key | 未提供 | api keys are not supported | user not found | auth unavailable | 无效的api | 身份验证 | 鉴权 | 认证失败",
    unless: "ip address | rate limited",
  },
  context_length: {
    code: "string_above_max_length",
    text:
      "maximum/max context length | exceed* .. max message tokens | " +
      "prompt/input/conversation/message/length/messages/request/context/text/chat .. too long | maximum prompt length | maximum number of tokens | input token count | longer/greater than the model/models/context/maximum | reduce the length | reduce your prompt | context window | context length exceeded | model token limit | fewer inputs | limit exceeded by | too many input tokens | exceeds max/maximum length | exceeds maximum input | context length of only | body too large .. tokens | max size .. tokens | token数量超过上限 | shorten your prompt/input/messages | exceed* .. input/maximum length | tokens .. less than | 超长 | 输入长度 | 输入过长 | 最大长度 | 上下文长度",
    unless: "took too | idle | per minute | per day | time frame | to increase visit | tpm | rate limit",
  },
  content_filter: {
    text: "content filter* | content policy | was filtered/flagged | requires moderation | safety filter*/system/violation/settings/reasons | blocked .. safety | high risk | unsafe/inappropriate/sensitive content | content restrictions | violating our polic* | guardrail checks | recitation | content exists risk | nsfw | 敏感 | 内容审核 | 不安全 | 违规 | 风险内容 | 内容安全",
  },
  quota: {
    text:
      "insufficient balance/credit/credits/funds | insufficient account balance | insufficient quota | not enough balance | not enough credit* | out of credits | balance is insufficient/too | balance not enough | balance too low | overdue balance | available balance | no credits | credits exhausted | credit limit exceeded | depleted .. credits | add/purchase/more credits | credits are required | requires .. credits | " +
      "payment required | past due | is overdue | payment method | spending/spend/billing limit/cap/hard | top up | please recharge | recharge your | add balance | balance .. negative/exhausted/used/zero | no .. balance | subscription .. inactive/required | buy a plan | monthly .. limit/quota/cap/usage/spend | free credits | hard limit | set up billing | limit set on your key | billing/monthly cycle | your billing details | used up your | purchase extra | trial .. ended/expired | trial request limit | subscription .. expired | plan has expired | no active free | " +
      "余额 | 欠费 | 充值 | 额度不足 | 额度已用 | 额度用尽 | 套餐已到期 | 资源包 | 免费额度 | 已用尽",
    unless: "load balance* | concurrency limit | concurrent | rate limit reached for | per minute",
  },
  "quota:your": {
    text: "exceeded your current quota | check your plan and billing | quota and bonus",
    unless: "stated | per minute/day | resource exhausted | rate limit* | tpm | rpm",
  },
  "rate_limit:plan": {
    text: "reached your limit | reached .. usage limit | usage limit .. reached | hour usage quota | hour/weekly limit",
    retryable: "wait",
    scope: "account",
  },
  capacity: {
    code: "overloaded",
    text:
      "over* loaded | overloaded | overload | over capacity | at capacity | at full/maximum/max capacity | no/insufficient capacity | out of .. capacity | capacity temporarily/exceeded/limits | capacity .. unavailable | surge | high/heavy demand/load/traffic/usage | high concurrency load | high amounts of traffic | high volume of | " +
      "too busy | server/servers/system/service/engine/model/llm/is busy | currently/really busy | are busy | resources busy | insufficient resources | no gpu/gpus | too many people/users | no available worker/workers/backend/instance/instances/server/servers/upstream/accounts | no available .. accounts | no workers/slots/instances available | no healthy upstream | queue .. full | queue size/limit exceeded | currently/still loading | being loaded | loading model | model unloaded | model is unloaded | reason overflow | is cold | not ready for inference | warming up | cold start | being provisioned | peak load/hours | " +
      "人数过多 | 算力 | 过载 | 繁忙 | 服务忙 | 负载 | 访问量过大 | 请求量过 | 请求过多 | 流量过大 | 容量不足 | 资源不足 | 排队 | 拥挤 | 高峰",
    unless:
      "capacity exceed limit | native context | context capacity | token capacity required | your capacity | may indicate | concurrency limit | error loading",
  },
  "rate_limit:day": {
    text: "per day | daily limit/quota/request/usage/token | rpd | tpd | limit for today | 今日 | 每日 | 当日 | 日流控 | 每天",
    unless: "neurons",
    retryable: "wait",
  },
  rate_limit: {
    text:
      "rate limit* | ratelimit | too many requests/tokens/concurrent | requests/tokens/request per minute/second | per minute/second limit | last minute/hour/second | exceed* your current request/requests | concurrency limit* | concurrent request/requests/limit | concurrency .. exceed* | maximum concurrent | max concurrency/parallel | parallel request* | request/requests limit | tpm | rpm | qps | throttling/throttled/throttle | too frequent* | too fast | slow down | too quickly | at a time | 次数超过 | request frequency | " +
      "频率 | 并发 | 限流 | 限速 | 流控 | 流量限制 | 流量受限 | 请求过快 | 频繁 | 速率",
    unless: "not rate limited | not enough credits",
  },
  "quota:word": {
    text: "out of quota | exceeded .. quota | quota .. exhausted/exceeded | over/no quota | usage cap/limit/limits | 配额",
    unless: "stated",
  },
  permission: {
    text: "permission denied | permission error | denied on resource | access denied | not authorized to | dont have access | do not have permission | have no permission | not have access | no access to | not allowed to | unsupported countries/country/region | access .. terminated | only available for | ip address not | ip not allowed | 网段 | current plan and | not available in your | region .. not supported | requires terms | terms and conditions | insufficient/sufficient permissions | not enabled for your | organization has disabled | ip .. blocked | model .. blocked | not permitted | not eligible | account .. suspended/disabled/banned | 没有权限 | 无权限 | 未开通 | 未授权 | 封禁",
    unless: "does not exist | legacy | inputs",
  },
  not_found: {
    code: "ModelError model_error",
    text:
      "model/deployment/engine/endpoint not found | model .. not found/available | model .. does not exist | does not exist or you | model not exist | no such model | model .. not supported | unknown/unsupported/invalid model | model .. no longer | model .. deprecated/decommissioned/retired | end of life | page not found | no longer supported | is not servable | unknown operation | no model named | model .. sunset/removed | cannot post/get | promotion has ended | " +
      "不存在的模型 | 模型 .. 不存在",
    unless:
      "chat completions api | internal server error | parameter | does not support | not supported with this | required",
  },
  invalid_request: { text: "message too big | url is missing | unsupported protocol | invalid url" },
  cancelled: {
    code: "aborted=true",
    text: "context canceled/cancelled | client closing/closed | client disconnected | keyboard interrupt | 取消",
    unless: "timeout | timed out | deadline",
  },
  timeout: {
    code: "ECONNABORTED aborted=false",
    text: "timed out | timeout | time out | etimedout | esockettimedout | took too long | no response within | respond in time | no response after | idle .. long | 超时",
    unless: "timeout must be | invalid timeout | timeout parameter",
  },
  "network:certificate": {
    text: "cert | certificate/certificates | self signed | leaf signature | x509",
    unless: "timeout | timed out",
    retryable: false,
  },
  network: {
    code: "UND_ERR_SOCKET UND_ERR_CLOSED EPROTO",
    text:
      "fetch failed | failed to fetch | network error | networkerror | connection reset/refused/error/aborted/closed/failed/lost/interrupted/dropped | connection was closed/reset | connection attempts failed | error communicating with | failed to connect | could not connect | cannot connect | failed to establish | remote end closed | server disconnected | peer closed | incomplete chunked | chunked encoding | payload is not completed | premature/prematurely | unexpected eof | unexpected end | not closed cleanly | stream was reset | transport connection | forcibly closed | unknown host* | eof occurred | socket hang up | other side closed | socket connection | socket closed | websocket | broken pipe | stream closed/disconnected/ended/error/reset | stream request failed | " +
      "name or service not known | name resolution | getaddrinfo | no such host | nodename | dns | no route | internet disconnected | network request failed | name not resolved | proxy error/connection | max retries exceeded | network connection | unable to connect | 网络 | 连接 | network is unreachable | host unreachable | ssl | tls | handshake | reading a body | decoding response body | error sending | rst stream | goaway | invalid error response format | econnreset | econnrefused | enotfound | eai again | epipe | ehostunreach | enetunreach | load failed | upstream connect | transport error",
    unless: "bad handshake | handshake status | runner process | unauthorized",
  },
  server_error: { text: "server had an error" },
};

export const GENERIC_REASONS: Readonly<Record<string, string>> = {
  auth: "The key or token is missing, wrong or expired.",
  context_length: "Prompt and answer are longer than the model's window.",
  content_filter: "A safety filter stopped the prompt or the answer.",
  quota: "Money or plan is used up; waiting minutes does not help.",
  "quota:your": "The plan's quota is used up.",
  "rate_limit:plan": "The plan's allowance for some hours or days is used up.",
  capacity: "The provider has no room for now.",
  "rate_limit:day": "The allowance of the day is used up.",
  rate_limit: "The caller's own allowance per time is used up.",
  "quota:word": "A quota is used up, and nothing says that it comes back by the minute.",
  permission: "The caller is known and not allowed this.",
  not_found: "The model or path does not exist, or no longer.",
  invalid_request: "The client was given no address that it can call, or a message too big to be taken.",
  cancelled: "The caller gave up.",
  timeout: "No complete answer came in time.",
  "network:certificate": "The other side's certificate is not trusted: no repeat mends that.",
  network: "The connection broke or never came about.",
  server_error: "The server says that the fault is its own, whatever type stands beside it.",
};
