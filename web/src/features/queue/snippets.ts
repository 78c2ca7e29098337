export interface SnippetParts {
  /** Of the server, without a slash at the end. */
  readonly origin: string;
}

const post = ({ origin }: SnippetParts, path: string, body: string) => `curl -sS ${origin}${path} \\
  -H 'Authorization: Bearer YOUR_KEY' \\
  -H 'Content-Type: application/json' \\
  -d '${body}'
`;

/** What one pastes to hand over a first job. */
export const writeSubmission = (parts: SnippetParts): string =>
  post(parts, "/v1/jobs", `{"jobs":[{"key":"doc-1","reference":"s3://docs/1"}]}`);

/** What one pastes to take it. */
export const writeLease = (parts: SnippetParts): string =>
  post(parts, "/v1/jobs/lease", `{"worker":"my-laptop","limit":1}`);
