/** How attempts came in: as events of our own, as spans, or from LiteLLM. */
export const VIAS = ["events", "otlp", "litellm"] as const;
export type Via = (typeof VIAS)[number];

/** A way in, and the instrument that made the records: for spans the name of their scope, else empty. */
export interface Way {
  readonly via: Via;
  readonly instrument: string;
}

export const EVENTS: Way = { via: "events", instrument: "" };
export const LITELLM: Way = { via: "litellm", instrument: "" };
