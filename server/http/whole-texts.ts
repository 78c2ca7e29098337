import { isWholeText } from "../contract/attempt-event.ts";
import type { FieldFault } from "./app-error.ts";

interface Place {
  readonly value: unknown;
  readonly pointer: string;
}

const DETAIL = "holds U+0000 or half of a surrogate pair, as when a text is cut within a character";

/**
 * The first text of a document, name or value, that is none: escapes of JSON can spell what PostgreSQL cannot hold.
 *
 * @returns `null` when all are whole
 */
export function findBrokenText(document: unknown): FieldFault | null {
  // A document may be deeper than calls can be.
  const places: Place[] = [{ value: document, pointer: "" }];
  for (let place = places.pop(); place !== undefined; place = places.pop()) {
    const { value, pointer } = place;
    if (typeof value === "string" && !isWholeText(value)) return { pointer, detail: DETAIL };
    if (typeof value !== "object" || value === null) continue;
    for (const [name, inner] of Object.entries(value)) {
      if (!isWholeText(name)) return { pointer, detail: `has a field whose name ${DETAIL}` };
      // Pointers of what is deep would be long, and nobody reads them.
      places.push({
        value: inner,
        pointer: pointer.length > 200 ? pointer : `${pointer}/${name.slice(0, 60)}`,
      });
    }
  }
  return null;
}
