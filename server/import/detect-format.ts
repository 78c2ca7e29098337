import { followQuotes } from "./csv-quotes.ts";
import { ImportError } from "./import-error.ts";

export type Format = "ndjson" | "csv";

/** What the first bytes of a file say about how it is packed. */
export type Packing = "plain" | "gzip";

const MAGIC: readonly (readonly [bytes: readonly number[], name: string])[] = [
  [[0x28, 0xb5, 0x2f, 0xfd], "zstd (unpack it with zstd -dc)"],
  [[0x50, 0x4b, 0x03, 0x04], "a zip archive (unpack it with unzip -p)"],
  [[0x42, 0x5a, 0x68], "bzip2 (unpack it with bzip2 -dc)"],
  [[0xfd, 0x37, 0x7a, 0x58], "xz (unpack it with xz -dc)"],
  [[0xff, 0xfe], "UTF-16 (convert it with iconv -f UTF-16 -t UTF-8)"],
  [[0xfe, 0xff], "UTF-16 (convert it with iconv -f UTF-16 -t UTF-8)"],
  [[0x50, 0x41, 0x52, 0x31], "Parquet (convert it with duckdb -c \"copy 'FILE' to 'FILE.csv'\")"],
];

/** By magic bytes, whatever the name. @throws ImportError for what is neither plain text nor gzip */
export function detectPacking(start: Buffer): Packing {
  if (start[0] === 0x1f && start[1] === 0x8b) return "gzip";
  for (const [bytes, name] of MAGIC) {
    if (bytes.every((byte, at) => start[at] === byte)) throw new ImportError(`is ${name}`);
  }
  return "plain";
}

/**
 * By the first character that is not blank: `{` begins NDJSON, anything else CSV; `null` when all are blank.
 *
 * @throws ImportError for a JSON array, which cannot be read line by line
 */
export function detectFormat(start: string): Format | null {
  const first = start
    .replace(/^\uFEFF/, "")
    .trimStart()
    .charAt(0);
  if (first === "") return null;
  if (first === "[")
    throw new ImportError("is a JSON array; make it one object per line with: jq -c '.[]' FILE");
  return first === "{" ? "ndjson" : "csv";
}

const DELIMITERS = [",", ";", "\t", "|"] as const;
const LINES_LOOKED_AT = 20;

/**
 * The delimiter that cuts most of the first lines into as many cells as the very first; of several, the one that
 * makes more cells, then a comma before a semicolon, a tab and a bar.
 *
 * @param start whole lines, or the beginning of the last one, which is then not counted
 */
export function detectDelimiter(start: string): string {
  const lines = start.split("\n").filter((line) => line.trim() !== "");
  const whole = (lines.length > 1 ? lines.slice(0, -1) : lines).slice(0, LINES_LOOKED_AT);
  let best = { delimiter: ",", alike: 0, cells: 1 };
  for (const delimiter of DELIMITERS) {
    const cells = countCells(whole[0] ?? "", delimiter);
    if (cells === 1) continue;
    const alike = whole.filter((line) => countCells(line, delimiter) === cells).length;
    if (alike > best.alike || (alike === best.alike && cells > best.cells))
      best = { delimiter, alike, cells };
  }
  return best.delimiter;
}

/** Delimiters within quotes do not count. */
function countCells(line: string, delimiter: string): number {
  let cells = 1;
  for (let at = line.indexOf(delimiter); at >= 0; at = line.indexOf(delimiter, at + 1)) {
    if (followQuotes(line.slice(0, at), delimiter) === "closed") cells++;
  }
  return cells;
}
