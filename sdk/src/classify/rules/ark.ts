import type { RuleTable } from "../rule.ts";

/** What Volcengine's Ark (Doubao) says. */
export const ARK: RuleTable = {
  capacity: { code: "ServerOverloaded", text: "model loading error | unable to handle additional requests" },
  quota: {
    code: "AccountOverdueError QuotaExceeded SetLimitExceeded OverdueBalance",
    text: "set inference limit",
    unless: "per minute | rate",
  },
  rate_limit: {
    text: "rpm/tpm/ipm/account rate limit exceeded | endpoint rpm/tpm exceeded | request burst too fast",
  },
  content_filter: { text: "sensitive content detected | text/image risk detection" },
  permission: { text: "model not open | service not open | not activated the model" },
  not_found: { text: "invalid endpoint | invalid endpoint or model" },
};

export const ARK_REASONS: Readonly<Record<string, string>> = {
  capacity: "The model's servers are full or still loading.",
  quota: "The account is overdue, or its free or set allowance is used up.",
  rate_limit: "The account's or endpoint's minute is used up.",
  content_filter: "The content was found sensitive.",
  permission: "The model has to be activated in the console.",
  not_found: "The endpoint or model does not exist or is closed.",
};
