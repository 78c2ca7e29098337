/** A failure that the person at the terminal can mend; shown without a stack. */
export class CommandError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "CommandError";
  }
}

/** A server that commands talk to. */
export interface ApiClient {
  readonly url: string;
  /**
   * Calls a route and gives the answer's JSON, or `undefined` where there is none.
   *
   * @throws CommandError with what the server said
   */
  call(method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<unknown>;
}

export function createApiClient(url: string, token: string): ApiClient {
  return {
    url,
    async call(method, path, body) {
      const response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }).catch((error: unknown) => {
        const cause =
          error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
        throw new CommandError(`${url} does not answer (${cause}).`);
      });
      const text = await response.text();
      if (!response.ok) throw new CommandError(describeProblem(response.status, text));
      return text === "" ? undefined : readJson(url, text);
    },
  };
}

function describeProblem(status: number, text: string): string {
  try {
    const problem = JSON.parse(text) as {
      title?: string;
      detail?: string;
      errors?: { pointer: string; detail: string }[];
    };
    const faults = (problem.errors ?? []).map(({ pointer, detail }) => `\n  ${pointer} ${detail}`).join("");
    return `${problem.title ?? `status ${status}`}${problem.detail === undefined ? "" : `: ${problem.detail}`}${faults}`;
  } catch {
    return `the server answered with status ${status}`;
  }
}

function readJson(url: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new CommandError(`${url} answered with what is no JSON: is it the address of a Busyhour?`);
  }
}
