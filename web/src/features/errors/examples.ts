/** Three failures with one status, of which each needs something else. */
export const EXAMPLES = {
  full: `HTTP/1.1 429 Too Many Requests
content-type: application/json
retry-after: 12

{"error":{"message":"The engine is currently overloaded, please try again later","type":"engine_overloaded_error"}}`,
  limit: `openai.RateLimitError: Error code: 429 - {'error': {'message': 'Rate limit reached for gpt-5 on tokens per min (TPM): Limit 30000, Used 29120, Requested 2200. Please try again in 2.64s.', 'type': 'tokens', 'code': 'rate_limit_exceeded'}}`,
  empty: `{"provider": "zhipu", "status": 429, "body": {"error": {"code": "1113", "message": "您的账户已欠费，请充值后重试"}}}`,
} as const;

export type ExampleName = keyof typeof EXAMPLES;
export const EXAMPLE_NAMES = Object.keys(EXAMPLES) as ExampleName[];
