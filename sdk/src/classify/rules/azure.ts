import type { Rule } from "../rule.ts";

/** What Azure OpenAI and Azure AI Foundry say. */
export const AZURE: readonly Rule[] = [
  {
    id: "azure/subscription-quota",
    outcome: "quota",
    code: "InsufficientQuota",
    text: "new capacity in quota | bigger than .. available capacity",
    because: '"Available capacity" is the subscription\'s own quota for deployments.',
  },
  {
    id: "azure/shared-demand",
    outcome: "capacity",
    text: "experiencing high demand | during peak load | temporarily unable to process your request",
    because: "The pool that all pay-as-you-go customers share is full.",
  },
  {
    id: "azure/deployment-limit",
    outcome: "rate_limit",
    code: "DeploymentRatelimit-Token | DeploymentRatelimit-Call",
    text: "exceeded .. rate limit of your current | exceeded .. rate limit for your current | pricing tier .. retry after",
    because: "The deployment's own tokens or calls per minute are used up.",
  },
  {
    id: "azure/call-volume",
    outcome: "quota",
    text: "out of call volume quota",
    because: "The call volume that was bought is used up.",
  },
  {
    id: "azure/policy",
    outcome: "content_filter",
    code: "ResponsibleAIPolicyViolation",
    text: "content management policy",
    because: "Azure's content filter stopped the prompt or the answer.",
  },
  {
    id: "azure/no-deployment",
    outcome: "not_found",
    code: "DeploymentNotFound | unknown_model | unavailable_model",
    text: "api deployment for this resource does not exist",
    because: "No deployment has this name.",
  },
  {
    id: "azure/wrong-key",
    outcome: "auth",
    text: "invalid subscription key | missing subscription key",
    because: "The key does not belong to this endpoint.",
  },
  {
    id: "azure/network-rules",
    outcome: "permission",
    text: "virtual network firewall rules | does not have access to api operation | public access is disabled",
    because: "Network rules or roles of the resource forbid it.",
  },
];
