import type { RuleTable } from "../rule.ts";

/** What iFlytek Spark says: `header.code` in its frames. Its limits begin with "authorization error". */
export const SPARK: RuleTable = {
  names: "spark iflytek xfyun",
  rate_limit: { code: "10006 10007 11202 11203" },
  "rate_limit:daily": { code: "11201", retryable: "wait" },
  capacity: { code: "10008 10110" },
  permission: { code: "10015 10016 11200" },
  content_filter: { code: "10013 10014 10019" },
  context_length: { code: "10907" },
  invalid_request: { code: "10003 10004 10005 10163 10404" },
  network: { code: "10222 10000 10001 10002" },
  server_error: { code: "10009 10010 10011 10012 10223" },
};

export const SPARK_REASONS: Readonly<Record<string, string>> = {
  rate_limit: 'Own calls at once or per second are used up, although it says "authorization error".',
  "rate_limit:daily": "The calls of the day are used up.",
  capacity: "The service has no room.",
  permission: "The app has no licence for it, or the licence is used up.",
  content_filter: "The content was found sensitive.",
  context_length: "Too many tokens in one prompt; no quota is meant.",
  invalid_request: "The message has the wrong form.",
  network: "The connection to the engine broke.",
  server_error: "Spark's own fault.",
};
