declare global {
  /** Where the early script leaves its answers for the pages, which are bundled apart from it. */
  var busyhourAsked: Map<string, Promise<Response>> | undefined;
}

/** Answers that were asked for before the pages' code had arrived, by path. */
globalThis.busyhourAsked ??= new Map();
const asked = globalThis.busyhourAsked;

export const HEADERS = { accept: "application/json" };

export function askEarly(path: string): Promise<Response> {
  const answer = fetch(path, { headers: HEADERS });
  // Whoever takes it sees how it failed.
  answer.catch(() => {});
  asked.set(path, answer);
  return answer;
}

/** The answer to what was asked early; each is given once, since it ages. */
export function takeEarly(path: string): Promise<Response> | undefined {
  const answer = asked.get(path);
  asked.delete(path);
  return answer;
}
