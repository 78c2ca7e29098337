export type UnpackFault = "cut off" | "wrong checksum" | "not packed" | "damaged";

const CODE_CUT_OFF = "Z_BUF_ERROR";
/** Of Brotli: whatever does not fit its format. */
const CODE_BROTLI = /^ERR_(?:_ERROR_|BROTLI_)/;

/**
 * What is wrong with packed data, from what zlib threw; `null` for an error that is none of zlib's.
 *
 * zlib has one code for all damage, so its words tell the kinds apart; words unknown here are damage like any other.
 */
export function judgeUnpackFault(error: unknown): UnpackFault | null {
  if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return null;
  if (error.code === CODE_CUT_OFF) return "cut off";
  if (CODE_BROTLI.test(error.code)) return "damaged";
  if (!error.code.startsWith("Z_")) return null;
  switch (error.message) {
    case "incorrect header check":
    case "unknown compression method":
      return "not packed";
    case "incorrect data check":
    case "incorrect length check":
      return "wrong checksum";
    default:
      return "damaged";
  }
}

/** `the gzip data breaks off before its end`; `name` is that of the packing. */
export function describeUnpackFault(fault: UnpackFault, name: string): string {
  switch (fault) {
    case "cut off":
      return `the ${name} data breaks off before its end`;
    case "wrong checksum":
      return `the ${name} data is damaged: its checksum is wrong`;
    case "not packed":
      return `what should be ${name} data does not begin as such`;
    case "damaged":
      return `the ${name} data is damaged`;
  }
}
