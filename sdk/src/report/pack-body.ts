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
    const packed = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
    return { body: new Uint8Array(await new Response(packed).arrayBuffer()), encoding: "gzip" };
  } catch {
    return { body: text, encoding: null };
  }
}
