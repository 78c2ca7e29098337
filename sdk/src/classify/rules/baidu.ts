import type { RuleTable } from "../rule.ts";

/** What Baidu Qianfan says: numbers inside HTTP 200 in its old interface, words in its new one. */
export const BAIDU: RuleTable = {
  names: "baidu qianfan ernie",
  field: "errorcode",
  capacity: {
    code: "4 336100 code=336100 cluster_rate_limit_exceeded",
    text: "open api request limit reached",
  },
  quota: {
    code: "17 19 QUOTA_USER_DAILY_FREE account_overdue",
    text: "open api daily/total request limit",
  },
  rate_limit: {
    code: "18 336501 336502 code=336501 code=336502 code=336503",
  },
  auth: { code: "13 14 100 110 111 336004 invalid_iam_token" },
  permission: { code: "6", text: "no permission to" },
  not_found: { code: "3 336005" },
  context_length: { code: "336103 336104 336007 tokens_too_long" },
  server_error: { code: "1 2 336000 code=336000 336200" },
  invalid_request: { code: "336001 336002 336003 336006" },
};

export const BAIDU_REASONS: Readonly<Record<string, string>> = {
  capacity: "The cluster, not the caller, is over its limit.",
  quota: "Free calls are used up, or the account is in arrears.",
  rate_limit: "Own requests or tokens per time are used up.",
  auth: "The access token is missing, wrong or expired.",
  permission: "The account may not use this model.",
  not_found: "No such model or interface.",
  context_length: "The prompt is too long.",
  server_error: "Baidu's own fault.",
  invalid_request: "A parameter is wrong.",
};
