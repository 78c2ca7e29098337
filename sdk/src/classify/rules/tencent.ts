import type { RuleTable } from "../rule.ts";

/** What Tencent Hunyuan says, in Tencent Cloud's `Response.Error.Code`. */
export const TENCENT: RuleTable = {
  capacity: { text: "engine server limit exceeded | global region .. limit exceeded" },
  quota: {
    text: "resource pack exhausted | service stop arrears | in arrears | low balance | charge resource exhaust",
  },
  permission: { text: "service not activated | un support | unauthorized operation" },
  auth: { text: "auth failure signature*/secret*/token*/invalid* | un auth error" },
  content_filter: { text: "illegal detected" },
};

export const TENCENT_REASONS: Readonly<Record<string, string>> = {
  capacity: "The engine, not the account, is over its limit.",
  quota: "The package is used up, or the account in arrears.",
  permission: "The service has to be activated, or the account may not use it.",
  auth: "The signature or secret is wrong.",
  content_filter: "The content was found illegal.",
};
