import { isAscii, isUtf8 } from "node:buffer";
import { NOT_UTF8, OVERLONG } from "./source-row.ts";

/** A longer line is no event: it is reported and skipped, so memory stays bounded. */
export const MAX_LINE_BYTES = 1024 * 1024;

/** `text` is `null` for a line that cannot be read; then `fault` says why. Lines count from 1, blank ones too. */
export type OnLine = (text: string | null, line: number, fault: string | null) => void;

const NEWLINE = 10;

/**
 * Cuts a stream of UTF-8 chunks into lines: `\n` or `\r\n`, a byte order mark dropped, the last line with or
 * without its newline, characters across chunk borders whole.
 *
 * All whole lines of a chunk are decoded in one go and cut as strings; decoding them one by one takes longer.
 */
export class LineSplitter {
  readonly #maxLineBytes: number;
  #line = 0;
  /** The beginning of a line whose end has not come yet. */
  #begun: Buffer[] = [];
  #begunBytes = 0;
  #isOverlong = false;

  constructor(maxLineBytes = MAX_LINE_BYTES) {
    this.#maxLineBytes = maxLineBytes;
  }

  push(chunk: Buffer, onLine: OnLine): void {
    // In a piece no longer than the limit no whole line can be overlong, only one that began before it.
    for (let from = 0; from < chunk.length; from += this.#maxLineBytes) {
      this.#pushPiece(chunk.subarray(from, from + this.#maxLineBytes), onLine);
    }
  }

  end(onLine: OnLine): void {
    if (this.#begunBytes > 0 || this.#isOverlong) this.#finishBegun(Buffer.alloc(0), onLine);
  }

  #pushPiece(piece: Buffer, onLine: OnLine): void {
    const firstEnd = piece.indexOf(NEWLINE);
    if (firstEnd < 0) {
      this.#keep(piece);
      return;
    }
    let from = 0;
    if (this.#begunBytes > 0 || this.#isOverlong) {
      this.#finishBegun(piece.subarray(0, firstEnd), onLine);
      from = firstEnd + 1;
    }
    const end = piece.lastIndexOf(NEWLINE) + 1;
    if (end > from) this.#emitWhole(piece.subarray(from, end), onLine);
    this.#keep(piece.subarray(end));
  }

  #emitWhole(bytes: Buffer, onLine: OnLine): void {
    if (isUtf8(bytes)) this.#emitText(decode(bytes), onLine);
    else {
      for (let from = 0; from < bytes.length; ) {
        const end = bytes.indexOf(NEWLINE, from);
        this.#emitBytes(bytes.subarray(from, end), onLine);
        from = end + 1;
      }
    }
  }

  #emitText(text: string, onLine: OnLine): void {
    let from = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", from)) {
      this.#emit(text.slice(from, end), onLine);
      from = end + 1;
    }
  }

  #keep(bytes: Buffer): void {
    if (bytes.length === 0 || this.#isOverlong) return;
    this.#begunBytes += bytes.length;
    // One byte more may be the `\r` of the line's end.
    if (this.#begunBytes > this.#maxLineBytes + 1) {
      this.#isOverlong = true;
      this.#begun = [];
      this.#begunBytes = 0;
    } else {
      this.#begun.push(bytes);
    }
  }

  #finishBegun(rest: Buffer, onLine: OnLine): void {
    this.#keep(rest);
    const isOverlong = this.#isOverlong;
    const bytes = isOverlong ? null : Buffer.concat(this.#begun);
    this.#begun = [];
    this.#begunBytes = 0;
    this.#isOverlong = false;
    if (bytes === null || lengthWithoutReturn(bytes) > this.#maxLineBytes)
      onLine(null, ++this.#line, OVERLONG);
    else this.#emitBytes(bytes, onLine);
  }

  #emitBytes(line: Buffer, onLine: OnLine): void {
    if (isUtf8(line)) this.#emit(line.toString("utf8"), onLine);
    else onLine(null, ++this.#line, NOT_UTF8);
  }

  #emit(text: string, onLine: OnLine): void {
    const from = this.#line === 0 && text.charCodeAt(0) === 0xfeff ? 1 : 0;
    const end = text.charCodeAt(text.length - 1) === 13 ? text.length - 1 : text.length;
    onLine(from === 0 && end === text.length ? text : text.slice(from, end), ++this.#line, null);
  }
}

/** Most logs are plain ASCII, for which this is a copy. */
function decode(bytes: Buffer): string {
  return isAscii(bytes) ? bytes.toString("latin1") : bytes.toString("utf8");
}

function lengthWithoutReturn(bytes: Buffer): number {
  return bytes.at(-1) === 13 ? bytes.length - 1 : bytes.length;
}
