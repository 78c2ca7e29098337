/** What a check makes of an answer: the value, or why it is `bad_output`. */
export type Checked<Value> =
  | { readonly ok: true; readonly value: Value; readonly path?: string }
  | { readonly ok: false; readonly why: string };

/**
 * Looks at an answer before the caller gets it. What it refuses counts as `bad_output`, and the next target is tried;
 * what it throws is a refusal too.
 */
export type OutputCheck<Output, Value = Output> = (
  answer: Output,
) => Checked<Value> | Promise<Checked<Value>>;
