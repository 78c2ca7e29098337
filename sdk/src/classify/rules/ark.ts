import type { RuleTable } from "../rule.ts";

/** What Volcengine's Ark (Doubao) says. */
export const ARK: RuleTable = {
  capacity: { code: "ServerOverloaded", text: "model loading error | unable to handle additional requests" },
  quota: {
    code: "AccountOverdueError SetLimitExceeded",
    text: "set inference limit",
    unless: "per minute | rate",
  },
  content_filter: { text: "text/image risk detection" },
  permission: { text: "model not open | service not open | not activated the model" },
  not_found: { text: "invalid endpoint" },
};

export const ARK_REASONS: Readonly<Record<string, string>> = {
  capacity: "The model's servers are full or still loading.",
  quota: "The account is overdue, or its free or set allowance is used up.",
  content_filter: "The content was found sensitive.",
  permission: "The model has to be activated in the console.",
  not_found: "The endpoint or model does not exist or is closed.",
};
