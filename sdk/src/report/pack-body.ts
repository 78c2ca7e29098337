import type { ReporterNote, WaitingEvent } from "./store.ts";

/** Bodies below this are not worth packing. */
const WORTH_PACKING = 1_024;

export interface PackedBody {
  readonly body: string | Uint8Array<ArrayBuffer>;
  readonly encoding: "gzip" | null;
}

/** The document of one POST. The events are JSON already. */
export function writeBody(events: readonly WaitingEvent[], note: ReporterNote | null): string {
  const attempts = events.map(({ json }) => json).join(",");
  return `{"attempts":[${attempts}]${note === null ? "" : `,"reporter":${JSON.stringify(note)}`}}`;
}

/** Packs by `CompressionStream`, which Node and edge runtimes have; where it is missing or fails, sends it plain. */
export async function packBody(text: string): Promise<PackedBody> {
  if (text.length < WORTH_PACKING || typeof CompressionStream === "undefined") {
    return { body: text, encoding: null };
  }
  try {
    return { body: await gzip(new TextEncoder().encode(text)), encoding: "gzip" };
  } catch {
    return { body: text, encoding: null };
  }
}

/** Written by hand: the same through `Blob` and `Response` costs three times as much. */
async function gzip(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  const { writable, readable } = new CompressionStream("gzip");
  const writer = writable.getWriter();
  const written = writer.write(bytes).then(() => writer.close());
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = readable.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    chunks.push(next.value);
    size += next.value.byteLength;
  }
  await written;
  const packed = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    packed.set(chunk, at);
    at += chunk.byteLength;
  }
  return packed;
}
