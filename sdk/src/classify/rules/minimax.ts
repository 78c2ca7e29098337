import type { RuleTable } from "../rule.ts";

/** What MiniMax says: `base_resp.status_code` inside HTTP 200, or the code in brackets behind the words. */
export const MINIMAX: RuleTable = {
  names: "minimax",
  field: "statuscode",
  quota: { code: "1008" },
  rate_limit: { code: "1002 1039 1041 2045" },
  "rate_limit:plan": { code: "2056", text: "usage limit exceeded", retryable: "wait", scope: "account" },
  auth: { code: "1004 2049" },
  timeout: { code: "1001" },
  content_filter: { code: "1026 1027" },
  invalid_request: { code: "1042 2013 20132", unless: "context window" },
  permission: { code: "2061" },
  server_error: { code: "1000 1013 1024 1033" },
};

export const MINIMAX_REASONS: Readonly<Record<string, string>> = {
  quota: "The balance is empty, whatever status carries it.",
  rate_limit: "Own requests, tokens or connections per time are used up.",
  "rate_limit:plan": "The plan's five hours or week of use are used up.",
  auth: "The key is missing or wrong.",
  timeout: "MiniMax took too long.",
  content_filter: "The content was found sensitive.",
  invalid_request: "A parameter is wrong.",
  permission: "The plan does not include the model.",
  server_error: "MiniMax's own fault.",
};
