/** What schema libraries have in common: zod, valibot, arktype and others, by the Standard Schema convention, version 1. */
export interface StandardSchema<Output> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** Issues in a line: `/items/0/price: expected a number`. Values are not repeated by us. */
export function formatIssues(issues: readonly StandardIssue[]): string {
  const shown = issues.slice(0, 3).map(({ message, path }) => {
    const place = (path ?? [])
      .map((step) => `/${String(typeof step === "object" ? step.key : step)}`)
      .join("");
    return place === "" ? message : `${place}: ${message}`;
  });
  const more = issues.length - shown.length;
  return shown.join("; ") + (more > 0 ? `; and ${more} more` : "");
}
