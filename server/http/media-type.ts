import type { BodyType } from "../contract/route.ts";

/** Names that are in use for them; with a suffix like `problem+json` it is JSON still. */
const NAMES: readonly (readonly [type: BodyType, name: RegExp])[] = [
  ["application/json", /^(?:application|text)\/(?:[\w.-]+\+)?json$/],
  ["application/x-ndjson", /^(?:application|text)\/(?:x-)?(?:ndjson|jsonl|json-?lines)$/],
  ["application/x-protobuf", /^application\/(?:x-)?protobuf$/],
];

/** The type that a `Content-Type` names, JSON when it names none, `null` for one that is neither of ours. */
export function readBodyType(contentType: string | undefined): BodyType | null {
  const name = toName(contentType);
  if (name === "") return "application/json";
  return NAMES.find(([, pattern]) => pattern.test(name))?.[0] ?? null;
}

/** What to do about a type that is not taken: mostly a header that was forgotten. */
export function describeMediaTypeFault(contentType: string | undefined, taken: readonly BodyType[]): string {
  const name = toName(contentType).slice(0, 60);
  const header = `-H "Content-Type: ${taken[0]}"`;
  const lines = taken.includes("application/x-ndjson")
    ? ", or application/x-ndjson for one event per line"
    : "";
  return name === "application/x-www-form-urlencoded"
    ? `It came as a form (${name}), as curl -d sends it when it is not told otherwise: add ${header}${lines}.`
    : `It came as ${name}. Say what it is: ${header}${lines}.`;
}

/** Without parameters such as `charset`. */
function toName(contentType: string | undefined): string {
  return (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}
