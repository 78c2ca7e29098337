/** An event of a stream as it came, and what its data says. */
export interface SseFrame {
  /** With the blank line behind it. */
  readonly raw: string;
  /** `null` for a comment, or an event without data. */
  readonly data: string | null;
}

const END = /\r\n\r\n|\n\n|\r\r/;

/** Cuts a body of server-sent events into its events; what is left at its end without a blank line is one too. */
export async function* readFrames(body: ReadableStream<Uint8Array>): AsyncGenerator<SseFrame> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  let isOver = false;
  try {
    while (!isOver) {
      const { done, value } = await reader.read();
      isOver = done;
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      for (let end = END.exec(rest); end !== null; end = END.exec(rest)) {
        const at = end.index + end[0].length;
        yield toFrame(rest.slice(0, at));
        rest = rest.slice(at);
      }
    }
    if (rest.trim() !== "") yield toFrame(`${rest}\n\n`);
  } finally {
    if (!isOver) reader.cancel().catch(() => {});
  }
}

function toFrame(raw: string): SseFrame {
  const lines = raw.split(/\r\n|\n|\r/).filter((line) => line.startsWith("data:"));
  return {
    raw,
    data: lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, "")).join("\n"),
  };
}
