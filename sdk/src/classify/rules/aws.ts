import type { RuleTable } from "../rule.ts";

/** What Amazon Bedrock says, through any AWS SDK. */
export const AWS: RuleTable = {
  capacity: {
    code: "ModelNotReadyException",
    text: "too many connections please | not ready to serve | bedrock is unable to process",
  },
  quota: { text: "invalid payment instrument | service quota exceeded" },
  permission: {
    text: "access to the model with | model access is denied | not been granted access",
  },
  not_found: {
    text: "model identifier is invalid | marked by provider as legacy | resolve the foundation model | end of its life",
  },
  invalid_request: { text: "on demand throughput isnt supported", switchHelps: true },
  rate_limit: {
    text: "throttling exception | requests please wait before trying",
    unless: "system capacity | too many connections | high demand | per day",
  },
  auth: {
    text: "security token included | unrecognized client exception | expired token exception",
  },
  server_error: {
    text: "model error exception | model stream error exception | system encountered an unexpected",
    unless: "too long | overload*",
  },
  content_filter: { text: "by guardrail* | guardrail intervened" },
};

export const AWS_REASONS: Readonly<Record<string, string>> = {
  capacity: "The model has no warm servers, or Bedrock no room; the caller's own sockets are not meant.",
  quota: "A quota of the account, or its means of payment, stands in the way.",
  permission: "The account was not given access to this model.",
  not_found: "No such model in this region, or it is retired.",
  invalid_request: "The model is called by an inference profile only.",
  rate_limit: "The account's requests or tokens per minute are used up.",
  auth: "AWS credentials are missing, wrong or expired.",
  server_error: "The model or the service failed by itself.",
  content_filter: "A guardrail stopped the prompt or the answer.",
};
