import type { RuleTable } from "../rule.ts";

/** What Zhipu (GLM, z.ai) says: its own four-digit codes, whatever the status. */
export const ZHIPU: RuleTable = {
  names: "zhipu zai z.ai bigmodel glm",
  auth: { code: "1000 1001 1002 1003 1004 1111" },
  quota: { code: "1113 1309" },
  "rate_limit:daily": { code: "1304", retryable: "wait" },
  rate_limit: { code: "1302 1303" },
  capacity: { code: "1305 1312" },
  "rate_limit:plan": {
    code: "1308 1310",
    retryable: "wait",
    scope: "account",
  },
  permission: { code: "1110 1112 1121 1220 1300 1311 1313" },
  not_found: { code: "1211 1221 1222" },
  invalid_request: { code: "1210 1212 1213 1214 1215 1231" },
  context_length: { code: "1261" },
  content_filter: { code: "1301" },
  server_error: { code: "1230 1234" },
};

export const ZHIPU_REASONS: Readonly<Record<string, string>> = {
  auth: "Documented codes of a missing, wrong or expired key.",
  quota: "The balance is empty or the plan has ended.",
  "rate_limit:daily": "The calls of the day are used up.",
  rate_limit: "Own calls at once or per minute are used up.",
  capacity: "The model has too many calls from everybody.",
  "rate_limit:plan": "The plan's hours or week of use are used up.",
  permission: "Account, plan or fair use do not allow it.",
  not_found: "No such model or interface.",
  invalid_request: "A parameter is missing or wrong.",
  context_length: "The prompt is too long.",
  content_filter: "The content was found sensitive.",
  server_error: "Zhipu's own fault.",
};
