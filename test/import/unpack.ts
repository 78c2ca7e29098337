import { gunzipSync } from "node:zlib";

/** A request body as text, by its content encoding. */
export function unpack(body: Buffer, encoding: string | undefined): string {
  return (encoding === "gzip" ? gunzipSync(body) : body).toString("utf8");
}
