import type { Rule } from "../rule.ts";

/** What Amazon Bedrock says, through any AWS SDK. */
export const AWS: readonly Rule[] = [
  {
    id: "aws/too-many-connections",
    outcome: "capacity",
    text: "too many connections please wait",
    because: "Bedrock is full; the caller's own sockets are not meant.",
  },
  {
    id: "aws/per-day",
    outcome: "rate_limit",
    text: "too many tokens per day",
    retryable: "wait",
    because: "The account's tokens of the day are used up.",
  },
  {
    id: "aws/not-ready",
    outcome: "capacity",
    code: "ModelNotReadyException | ServiceUnavailableException",
    text: "not ready to serve inference requests | bedrock is unable to process your request",
    because: "The model has no warm servers yet, or the service no room.",
  },
  {
    id: "aws/service-quota",
    outcome: "quota",
    code: "ServiceQuotaExceededException",
    text: "invalid payment instrument | service quota exceeded exception",
    because: "A quota of the account, or its means of payment, stands in the way.",
  },
  {
    id: "aws/model-access",
    outcome: "permission",
    text: "have access to the model with the specified | model access is denied | is not authorized to perform | not authorized to invoke | aws marketplace .. access | you have not been granted access",
    because: "The account was not given access to this model.",
  },
  {
    id: "aws/model-id",
    outcome: "not_found",
    text: "model identifier is invalid | marked by provider as legacy | could not resolve the foundation model | reached the end of its life | model version .. end of its life",
    because: "No such model in this region, or it is retired.",
  },
  {
    id: "aws/needs-profile",
    outcome: "invalid_request",
    text: "on demand throughput isnt supported",
    switchHelps: true,
    because: "The model is called by an inference profile only.",
  },
  {
    id: "aws/too-long",
    outcome: "context_length",
    text: "input is too long for requested model",
    because: "The prompt is longer than the model's window.",
  },
  {
    id: "aws/throttled",
    outcome: "rate_limit",
    code: "ThrottlingException | TooManyRequestsException | RequestLimitExceeded | ProvisionedThroughputExceededException",
    text: "throttling exception | too many tokens please wait | too many requests please wait before trying again",
    unless: "system capacity | too many connections | high demand",
    because: "The account's requests or tokens per minute are used up.",
  },
  {
    id: "aws/credentials",
    outcome: "auth",
    code: "UnrecognizedClientException | ExpiredTokenException | InvalidSignatureException | MissingAuthenticationTokenException | CredentialsProviderError | IncompleteSignatureException | InvalidClientTokenId | NoCredentialsError | TokenProviderError",
    text: "security token included in the request | could not load credentials | unable to locate credentials | credentials provider error | unrecognized client exception | expired token exception | signature we calculated",
    because: "AWS credentials are missing, wrong or expired.",
  },
  {
    id: "aws/model-timeout",
    outcome: "timeout",
    code: "ModelTimeoutException",
    text: "model timeout exception | connect timeout on endpoint | read timeout on endpoint",
    because: "The model took longer than allowed.",
  },
  {
    id: "aws/model-error",
    outcome: "server_error",
    code: "ModelErrorException | ModelStreamErrorException | InternalServerException",
    text: "model stream error exception | model error exception | system encountered an unexpected error",
    unless: "too long | overloaded",
    because: "The model or the service failed by itself.",
  },
  {
    id: "aws/guardrail",
    outcome: "content_filter",
    code: "stopreason=guardrail_intervened | stopreason=content_filtered",
    text: "blocked by guardrail* | guardrail intervened",
    because: "A guardrail stopped the prompt or the answer.",
  },
];
