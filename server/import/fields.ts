import type { AttemptError, AttemptEvent } from "@busyhour/sdk";

/** How the text or JSON value of a field is understood. */
export type FieldKind = "time" | "label" | "text" | "integer" | "milliseconds" | "boolean" | "outcome";

/** Every field of an event, the parts of `error` one by one. */
export type FieldName = Exclude<keyof AttemptEvent, "error"> | `error.${keyof AttemptError}`;

const KINDS: Readonly<Record<FieldName, FieldKind>> = {
  eventId: "label",
  occurredAt: "time",
  provider: "label",
  model: "label",
  outcome: "outcome",
  httpStatus: "integer",
  "error.type": "text",
  "error.code": "text",
  "error.message": "text",
  latencyMs: "milliseconds",
  firstTokenMs: "milliseconds",
  inputTokens: "integer",
  outputTokens: "integer",
  requestId: "label",
  attempt: "integer",
  isFinal: "boolean",
  chain: "label",
  position: "integer",
  source: "label",
  endpoint: "label",
  inFlight: "integer",
  retryAfterMs: "milliseconds",
  servedModel: "label",
  isStream: "boolean",
  account: "label",
};

export interface Field {
  /** Place in `FIELDS`. */
  readonly index: number;
  readonly name: FieldName;
  readonly kind: FieldKind;
  readonly isRequired: boolean;
  /** JSON Pointer into the event. */
  readonly pointer: string;
}

const REQUIRED: ReadonlySet<string> = new Set(["occurredAt", "provider", "model"]);

/** All fields. Their order is the order within the content that ids are made of: append, never reorder. */
export const FIELDS: readonly Field[] = (Object.entries(KINDS) as [FieldName, FieldKind][]).map(
  ([name, kind], index) => ({
    index,
    name,
    kind,
    isRequired: REQUIRED.has(name),
    pointer: `/${name.replace(".", "/")}`,
  }),
);

const BY_NAME: ReadonlyMap<string, Field> = new Map(FIELDS.map((field) => [field.name, field]));

/** The field of this name, which must exist: for code, not for what people type. */
export function getField(name: FieldName): Field {
  const field = BY_NAME.get(name);
  if (field === undefined) throw new TypeError(`no field ${name}`);
  return field;
}

/** The field that a person means, or `null`. `error` alone is its message. */
export function findField(name: string): Field | null {
  const wanted = name.toLowerCase();
  if (wanted === "error") return getField("error.message");
  return FIELDS.find((field) => field.name.toLowerCase() === wanted) ?? null;
}
