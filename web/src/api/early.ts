/** Answers that were asked for before the pages' code had arrived, by path. */
const asked = new Map<string, Promise<Response>>();

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
