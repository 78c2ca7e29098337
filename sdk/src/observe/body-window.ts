const HEAD_BYTES = 16_384;
const TAIL_BYTES = 16_384;
/** Most of what is kept of the line that a stream is in, or ended with. */
const LINE_BYTES = 1_024;
const MAX_MARKS = 512;
const NEWLINE = 10;
const RETURN = 13;
const EMPTY = new Uint8Array(0);

/**
 * What is kept of a body that passes: its beginning, its end, the beginning of its last line, and when the beginning
 * came. Each chunk costs a short copy, however long the body becomes; nothing is looked at before the end.
 * Never more than 49 kB, and of a short body no more than twice its length.
 */
export class BodyWindow {
  #head = EMPTY;
  #headLength = 0;
  /** Ends of the chunks of the head, and when they came: pairs. */
  readonly #marks: number[] = [];
  #tail = EMPTY;
  #tailLength = 0;
  #line = EMPTY;
  #total = 0;

  /** @param at when the chunk came, on the caller's clock */
  push(chunk: Uint8Array, at: number): void {
    if (chunk.length === 0) return;
    this.#total += chunk.length;
    if (this.#headLength < HEAD_BYTES) {
      const part =
        chunk.length > HEAD_BYTES - this.#headLength
          ? chunk.subarray(0, HEAD_BYTES - this.#headLength)
          : chunk;
      this.#head = fit(this.#head, this.#headLength, part.length, HEAD_BYTES);
      this.#head.set(part, this.#headLength);
      this.#headLength += part.length;
      if (this.#marks.length < 2 * MAX_MARKS) this.#marks.push(this.#headLength, at);
      if (part.length === chunk.length) return;
      this.#pushTail(chunk.subarray(part.length));
    } else this.#pushTail(chunk);
    this.#pushLine(chunk);
  }

  #pushTail(chunk: Uint8Array): void {
    const part = chunk.length > TAIL_BYTES ? chunk.subarray(chunk.length - TAIL_BYTES) : chunk;
    // What came before no longer borders on it.
    if (part.length < chunk.length) this.#tailLength = 0;
    // Twice the room, so that older bytes are moved once per 16 kB and not once per chunk.
    if (this.#tailLength + part.length > 2 * TAIL_BYTES) {
      const keep = TAIL_BYTES - part.length;
      this.#tail.copyWithin(0, this.#tailLength - keep, this.#tailLength);
      this.#tailLength = keep;
    }
    this.#tail = fit(this.#tail, this.#tailLength, part.length, 2 * TAIL_BYTES);
    this.#tail.set(part, this.#tailLength);
    this.#tailLength += part.length;
  }

  /** Remembers how the last line that says something began, for it may be longer than the tail. */
  #pushLine(chunk: Uint8Array): void {
    let end = chunk.length;
    while (end > 0 && (chunk[end - 1] === NEWLINE || chunk[end - 1] === RETURN)) end--;
    if (end === 0) return;
    const newline = chunk.lastIndexOf(NEWLINE, end - 1);
    if (newline !== -1 || this.#line.length === 0)
      this.#line = chunk.slice(newline + 1, Math.min(end, newline + 1 + LINE_BYTES));
    else if (this.#line.length < 128) {
      const more = chunk.subarray(0, Math.min(end, LINE_BYTES - this.#line.length));
      const longer = new Uint8Array(this.#line.length + more.length);
      longer.set(this.#line);
      longer.set(more, this.#line.length);
      this.#line = longer;
    }
  }

  get byteCount(): number {
    return this.#total;
  }

  /** The whole body, or `null` when it was longer than what is kept. */
  whole(): string | null {
    if (this.#total > this.#headLength + Math.min(this.#tailLength, this.#total - this.#headLength))
      return null;
    if (this.#total === this.#headLength) return decode(this.#head.subarray(0, this.#headLength));
    const bytes = new Uint8Array(this.#total);
    bytes.set(this.#head.subarray(0, this.#headLength));
    bytes.set(this.#tail.subarray(0, this.#tailLength), this.#headLength);
    return decode(bytes);
  }

  /** The beginning; bytes of a character that is cut at its end become a replacement character. */
  head(): string {
    return decode(this.#head.subarray(0, this.#headLength));
  }

  /** The end of what came after the head. */
  tail(): string {
    return decode(this.#tail.subarray(0, this.#tailLength));
  }

  /** How the last line began that is not empty, as far as it lies behind the head. */
  lastLine(): string {
    return decode(this.#line);
  }

  /** When the byte at this place of the body came; `undefined` when the place lies behind the head. */
  timeOf(offset: number): number | undefined {
    for (let i = 0; i < this.#marks.length; i += 2) {
      if (offset < (this.#marks[i] ?? 0)) return this.#marks[i + 1];
    }
    return undefined;
  }
}

const decoder = new TextDecoder();
const decode = (bytes: Uint8Array) => decoder.decode(bytes);

/** The same bytes with room for `more`, doubling, up to `max`. */
function fit(
  bytes: Uint8Array<ArrayBuffer>,
  used: number,
  more: number,
  max: number,
): Uint8Array<ArrayBuffer> {
  if (used + more <= bytes.length) return bytes;
  const larger = new Uint8Array(Math.min(max, Math.max(used + more, 2 * bytes.length, 512)));
  larger.set(bytes.subarray(0, used));
  return larger;
}
