import type { RuleTable } from "../rule.ts";

/** What Azure OpenAI and Azure AI Foundry say. */
export const AZURE: RuleTable = {
  quota: { text: "new capacity in quota | bigger than .. available capacity | out of call volume" },
  "quota:code": { code: "InsufficientQuota", unless: "concurren* | per minute" },
  capacity: { text: "during peak load | temporarily unable to process" },
  content_filter: { text: "content management policy | responsible ai policy" },
  not_found: { text: "deployment for this resource does not exist" },
  auth: { text: "invalid/missing subscription key" },
  permission: { text: "firewall rules | access to api operation | public access is disabled" },
};

export const AZURE_REASONS: Readonly<Record<string, string>> = {
  "quota:code": "The subscription's quota is used up.",
  quota: '"Available capacity" and "call volume" are the subscription\'s own quota.',
  capacity: "The pool that all pay-as-you-go customers share is full.",
  content_filter: "Azure's content filter stopped the prompt or the answer.",
  not_found: "No deployment has this name.",
  auth: "The key does not belong to this endpoint.",
  permission: "Network rules or roles of the resource forbid it.",
};
