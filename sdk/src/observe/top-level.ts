/**
 * The value of a string key of the outermost object of a JSON text, without parsing the text: a prompt of a megabyte
 * costs microseconds when the key stands first, as it does with most clients.
 *
 * @returns `null` when there is no such key there, or when its value is no string
 */
export function findTopLevelString(json: string, key: string): string | null {
  const quoted = `"${key}"`;
  const first = json.indexOf(quoted);
  if (first === -1) return null;
  const onlyOne = json.indexOf(quoted, first + 1) === -1;
  // Before the first brace or bracket but the outermost, nothing can be nested.
  const isOutermost = onlyOne || !/[[{]/.test(json.slice(json.indexOf("{") + 1, first));
  if (isOutermost) return readString(json, first + quoted.length);
  const at = findOutermostKey(json, quoted);
  return at === -1 ? null : readString(json, at);
}

/** Reads `: "…"`; `null` when something else follows. */
function readString(json: string, from: number): string | null {
  const start = /^\s*:\s*"/.exec(json.slice(from, from + 64));
  if (start === null) return null;
  const begin = from + start[0].length - 1;
  const end = skipString(json, begin);
  try {
    const value: unknown = JSON.parse(json.slice(begin, end));
    return typeof value === "string" ? value : null;
  } catch {
    return null;
  }
}

/** @returns where the text after the key begins, or -1 */
function findOutermostKey(json: string, quoted: string): number {
  const marks = /["[\]{}]/g;
  let depth = 0;
  for (let mark = marks.exec(json); mark !== null; mark = marks.exec(json)) {
    if (mark[0] === '"') {
      const end = skipString(json, mark.index);
      marks.lastIndex = end;
      const isKey = depth === 1 && json.startsWith(quoted, mark.index) && end - mark.index === quoted.length;
      if (isKey && /^\s*:/.test(json.slice(end, end + 64))) return end;
    } else if (mark[0] === "{" || mark[0] === "[") depth++;
    else depth--;
  }
  return -1;
}

/** @returns the place after the closing quote of the string that opens at `open` */
function skipString(json: string, open: number): number {
  let at = open + 1;
  while (at < json.length) {
    const quote = json.indexOf('"', at);
    if (quote === -1) return json.length;
    let slashes = 0;
    while (json.charCodeAt(quote - 1 - slashes) === 92) slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
  return json.length;
}
