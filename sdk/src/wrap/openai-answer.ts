import { isContent } from "../router/stream/content.ts";
import type { SseFrame } from "./sse-frames.ts";
import { readFrames } from "./sse-frames.ts";

/** A piece of a routed stream: what the event says, where it is JSON, else nothing. */
export type Piece = Readonly<Record<string, unknown>>;

/** How each piece came, and what each whole answer came with. */
const raws = new WeakMap<object, string>();
const responses = new WeakMap<object, { readonly text: string; readonly headers: Headers }>();

/** A whole answer, read: a router looks into it, and a client gets it as it came. */
export async function readAnswer(response: Response): Promise<object> {
  const text = await response.text();
  const answer = parse(text);
  if (answer === null) throw new SyntaxError(`the answer is no JSON: ${text.slice(0, 100)}`);
  responses.set(answer, { text, headers: response.headers });
  return answer;
}

/** The answer as the provider gave it; what says how long and how packed it was is true no more. */
export function toResponse(answer: object, more: Readonly<Record<string, string>>): Response {
  const { text, headers } = responses.get(answer) ?? { text: JSON.stringify(answer), headers: new Headers() };
  return new Response(text, { status: 200, headers: withHeaders(headers, more) });
}

export function withHeaders(headers: Headers, more: Readonly<Record<string, string>>): Headers {
  const all = new Headers(headers);
  for (const name of ["content-length", "content-encoding", "transfer-encoding"]) all.delete(name);
  for (const [name, value] of Object.entries(more)) all.set(name, value);
  return all;
}

/** The pieces of a stream. A stream that ends without saying so has been cut, however politely. */
export async function* readPieces(response: Response): AsyncGenerator<Piece> {
  if (response.body === null) return;
  let hasEnded = false;
  for await (const frame of readFrames(response.body)) {
    const piece = toPiece(frame);
    hasEnded ||= isEnd(frame, piece);
    yield piece;
  }
  if (!hasEnded) throw new CutError("the stream ended before the answer did");
}

class CutError extends Error {
  override readonly name = "StreamEndedEarly";
  readonly code = "ECONNRESET";
}

function toPiece({ raw, data }: SseFrame): Piece {
  const piece = (data === null ? null : parse(data)) ?? {};
  raws.set(piece, raw);
  return piece as Piece;
}

/** `[DONE]`, a reason to finish, or the last event of Responses. */
function isEnd({ data }: SseFrame, { type, choices }: Piece): boolean {
  if (data?.startsWith("[DONE]") === true) return true;
  if (typeof type === "string" && /^response\.(completed|incomplete|failed|cancelled)$/.test(type))
    return true;
  return (
    Array.isArray(choices) &&
    choices.some((choice: Piece | null) => typeof choice?.["finish_reason"] === "string")
  );
}

/** Whether a piece brings something of the answer: comments and the mark of its end do not. */
export function isContentPiece(piece: Piece): boolean {
  return Object.keys(piece).length > 0 && isContent(piece);
}

/** The stream as it came. */
export function toBody(pieces: AsyncIterable<Piece>): ReadableStream<Uint8Array> {
  const iterator = pieces[Symbol.asyncIterator]();
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      try {
        const next = await iterator.next();
        if (next.done === true) controller.close();
        else controller.enqueue(encoder.encode(raws.get(next.value) ?? ""));
      } catch (error) {
        controller.error(error);
      }
    },
    async cancel() {
      await iterator.return?.();
    },
  });
}

function parse(text: string): object | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : null;
  } catch {
    return null;
  }
}
