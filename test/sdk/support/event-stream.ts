const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
  let value = n;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (CRC[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}

/** A frame of `application/vnd.amazon.eventstream` with string headers and a JSON payload. */
export function frame(headers: Record<string, string>, payload: unknown): Buffer {
  const encoded = Buffer.concat(
    Object.entries(headers).map(([name, value]) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(Buffer.byteLength(value));
      return Buffer.concat([
        Buffer.from([name.length]),
        Buffer.from(name),
        Buffer.from([7]),
        length,
        Buffer.from(value),
      ]);
    }),
  );
  const body = Buffer.from(JSON.stringify(payload));
  const prelude = Buffer.alloc(12);
  prelude.writeUInt32BE(12 + encoded.length + body.length + 4, 0);
  prelude.writeUInt32BE(encoded.length, 4);
  prelude.writeUInt32BE(crc32(prelude.subarray(0, 8)), 8);
  const all = Buffer.concat([prelude, encoded, body]);
  const end = Buffer.alloc(4);
  end.writeUInt32BE(crc32(all));
  return Buffer.concat([all, end]);
}

export const eventFrame = (type: string, payload: unknown) =>
  frame({ ":message-type": "event", ":event-type": type, ":content-type": "application/json" }, payload);

export const exceptionFrame = (type: string, message: string) =>
  frame(
    { ":message-type": "exception", ":exception-type": type, ":content-type": "application/json" },
    { message },
  );

/** A piece of an invoke stream: the model's own event, in Base64. */
export const chunkFrame = (event: unknown) =>
  eventFrame("chunk", { bytes: Buffer.from(JSON.stringify(event)).toString("base64") });
