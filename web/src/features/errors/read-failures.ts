import {
  type FailureInput,
  FailureInputError,
  type FailureInputFault,
  isFailureLine,
  parseFailureLine,
  parsePastedFailure,
} from "@busyhour/sdk";

/** What one knows besides the error itself; `null` what one does not. It holds where the error does not say. */
export interface Known {
  readonly provider: string | null;
  readonly status: number | null;
  /** Epoch milliseconds, for waits that are given as a date. */
  readonly nowMs: number;
}

export interface Reading {
  readonly failures: readonly FailureInput[];
  /** Lines, from 1, that could not be read. */
  readonly faults: readonly { readonly line: number; readonly fault: FailureInputFault }[];
  /** Lines beyond the most that are shown. */
  readonly leftOut: number;
}

/** More are for the command line. */
export const MOST_LINES = 20;
/** Among so many first lines one must show that they are JSON lines, as for `busyhour classify`. */
const PEEK_LINES = 5;

/** Reads what was pasted as the command line does: JSON lines, or one error. Without text a status alone is one. */
export function readFailures(text: string, known: Known): Reading {
  if (text.trim() === "") {
    const isKnown = known.status !== null;
    return { failures: isKnown ? [complete({ id: null, failure: {} }, known)] : [], faults: [], leftOut: 0 };
  }
  const lines = text
    .split(/\r?\n/)
    .map((content, i) => ({ content, line: i + 1 }))
    .filter(({ content }) => content.trim() !== "");
  const isLines =
    lines.length > 1 && lines.slice(0, PEEK_LINES).some(({ content }) => isFailureLine(content));
  const failures: FailureInput[] = [];
  const faults: { line: number; fault: FailureInputFault }[] = [];
  const take = (line: number, read: () => FailureInput) => {
    try {
      failures.push(complete(read(), known));
    } catch (error) {
      if (!(error instanceof FailureInputError)) throw error;
      faults.push({ line, fault: error.fault });
    }
  };
  if (!isLines) take(1, () => parsePastedFailure(text));
  else
    for (const { content, line } of lines.slice(0, MOST_LINES)) take(line, () => parseFailureLine(content));
  return { failures, faults, leftOut: isLines ? Math.max(0, lines.length - MOST_LINES) : 0 };
}

function complete({ id, failure }: FailureInput, { provider, status, nowMs }: Known): FailureInput {
  return {
    id,
    failure: {
      ...failure,
      provider: failure.provider ?? provider ?? undefined,
      status: failure.status ?? status ?? undefined,
      nowMs,
    },
  };
}

/** A status as one types it: `null` when there is none, `undefined` when it cannot be one. */
export function parseStatus(text: string): number | null | undefined {
  if (text.trim() === "") return null;
  return /^\s*[1-5]\d\d\s*$/.test(text) ? Number(text) : undefined;
}
