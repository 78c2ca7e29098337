import type { RuleTable } from "../rule.ts";

/** What Alibaba's DashScope (Qwen, Model Studio) says. */
export const DASHSCOPE: RuleTable = {
  capacity: { text: "system capacity limits | no backend server" },
  "quota:free": { text: "free allocated quota | free tier .. exhausted | free tier only | free quota" },
  quota: {
    code: "Arrearage PostpaidBillOverdue PrepaidBillOverdue CommodityNotPurchased AccessDenied.Unpurchased",
    text: "account is in good standing",
  },
  rate_limit: {
    code: "limit_requests limit_burst_rate Throttling.RateQuota",
    text: "allocated quota exceeded",
  },
  not_found: { code: "Endpoint.AccessDenied" },
  permission: { code: "Workspace.AccessDenied AccessDenied" },
  content_filter: { text: "data inspection failed", unless: "download" },
  invalid_request: { text: "list index out of range | role must be | upload file capacity/number" },
  context_length: { text: "range of input length" },
};

export const DASHSCOPE_REASONS: Readonly<Record<string, string>> = {
  capacity: "The whole system is full, although it says too many requests.",
  "quota:free": "The free tokens are used up for good.",
  quota: "The account is in arrears, or nothing was bought.",
  rate_limit: '"Allocated quota" is the allowance per minute.',
  not_found: "The model was taken offline or is named wrongly.",
  permission: "The workspace may not use it.",
  content_filter: "The content was found unfit.",
  invalid_request: "The caller's messages or files are wrong, even where the status says 500.",
  context_length: "The prompt is longer than the model takes.",
};

/** Its compatible mode says `insufficient_quota` of the minute's tokens too, so its name decides. */
export const DASHSCOPE_COMPATIBLE: RuleTable = {
  names: "dashscope alibaba qwen bailian aliyun",
  isNameNeeded: true,
  rate_limit: { code: "insufficient_quota", unless: "free | balance | arrear* | overdue" },
};

export const DASHSCOPE_COMPATIBLE_REASONS: Readonly<Record<string, string>> = {
  rate_limit: "DashScope's compatible mode says insufficient_quota of the minute's tokens.",
};
