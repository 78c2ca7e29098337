import { cut, json, type Step, sse } from "./scripted-server.ts";

/** How one provider says things over the wire: the answers that tests are made of. */
export interface Wire {
  readonly ok: (text: string) => Step;
  /** A greeting, the pieces of the text, and the end. */
  readonly streamed: (...pieces: string[]) => Step;
  /** A greeting and the pieces; then the connection breaks off, or an error comes as an event. */
  readonly broken: (pieces: readonly string[], how: "cut" | "overloaded" | "ends") => Step;
  readonly full: Step;
  readonly limitedForADay: Step;
  readonly noMoney: Step;
  readonly badKey: Step;
  readonly cut: Step;
}

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const event = (value: { type: string; [key: string]: unknown }) => `event: ${value.type}\n${data(value)}`;

function broken(frames: readonly string[], how: "cut" | "overloaded" | "ends", overloaded: string): Step {
  if (how === "ends") return sse(frames);
  return sse([...frames, how === "cut" ? "cut" : overloaded]);
}

const chunk = (delta: object, finish: string | null = null) =>
  data({
    id: "c1",
    object: "chat.completion.chunk",
    created: 1,
    model: "m-1",
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
const chatGreeting = chunk({ role: "assistant", content: "" });

const openaiFailures = {
  full: json(503, {
    error: { message: "The engine is currently overloaded", type: "server_error", code: "overloaded" },
  }),
  limitedForADay: json(
    429,
    {
      error: {
        message: "Rate limit reached for requests per day",
        type: "requests",
        code: "rate_limit_exceeded",
      },
    },
    { "retry-after": "86400" },
  ),
  noMoney: json(429, {
    error: {
      message: "You exceeded your current quota, please check your plan and billing details.",
      type: "insufficient_quota",
      code: "insufficient_quota",
    },
  }),
  badKey: json(401, {
    error: {
      message: "Incorrect API key provided: sk-x",
      type: "invalid_request_error",
      code: "invalid_api_key",
    },
  }),
  cut,
};

/** Chat Completions. */
export const CHAT: Wire = {
  ...openaiFailures,
  ok: (content) =>
    json(200, {
      id: "c1",
      object: "chat.completion",
      created: 1,
      model: "m-1",
      choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    }),
  streamed: (...pieces) =>
    sse([
      chatGreeting,
      ...pieces.map((content) => chunk({ content })),
      chunk({}, "stop"),
      "data: [DONE]\n\n",
    ]),
  broken: (pieces, how) =>
    broken(
      [chatGreeting, ...pieces.map((content) => chunk({ content }))],
      how,
      data({ error: { message: "The server is overloaded", type: "server_error", code: "overloaded" } }),
    ),
};

const response = (status: string, text?: string) => ({
  id: "resp_1",
  object: "response",
  created_at: 1,
  model: "m-1",
  status,
  output:
    text === undefined
      ? []
      : [
          {
            type: "message",
            id: "m1",
            role: "assistant",
            status: "completed",
            content: [{ type: "output_text", text, annotations: [] }],
          },
        ],
  usage: { input_tokens: 3, output_tokens: 1, total_tokens: 4 },
});
const begun = [
  event({ type: "response.created", response: response("in_progress") }),
  event({
    type: "response.output_item.added",
    output_index: 0,
    item: { type: "message", id: "m1", role: "assistant", content: [] },
  }),
  event({
    type: "response.content_part.added",
    item_id: "m1",
    output_index: 0,
    content_index: 0,
    part: { type: "output_text", text: "", annotations: [] },
  }),
];
const textDelta = (delta: string) =>
  event({ type: "response.output_text.delta", item_id: "m1", output_index: 0, content_index: 0, delta });

/** Responses. */
export const RESPONSES: Wire = {
  ...openaiFailures,
  ok: (text) => json(200, response("completed", text)),
  streamed: (...pieces) =>
    sse([
      ...begun,
      ...pieces.map(textDelta),
      event({ type: "response.completed", response: response("completed", pieces.join("")) }),
    ]),
  broken: (pieces, how) =>
    broken(
      [...begun, ...pieces.map(textDelta)],
      how,
      event({ type: "error", code: "overloaded", message: "The server is overloaded" }),
    ),
};

const anthropicError = (status: number, type: string, message: string, headers = {}) =>
  json(status, { type: "error", error: { type, message } }, headers);
const messageStart = event({
  type: "message_start",
  message: {
    id: "m1",
    type: "message",
    role: "assistant",
    model: "m-1",
    content: [],
    stop_reason: null,
    usage: { input_tokens: 3, output_tokens: 0 },
  },
});
const blockStart = event({
  type: "content_block_start",
  index: 0,
  content_block: { type: "text", text: "" },
});
const blockDelta = (text: string) =>
  event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } });

/** Anthropic's Messages. */
export const MESSAGES: Wire = {
  full: anthropicError(529, "overloaded_error", "Overloaded"),
  limitedForADay: anthropicError(429, "rate_limit_error", "This request would exceed your daily rate limit", {
    "retry-after": "86400",
  }),
  noMoney: anthropicError(
    400,
    "invalid_request_error",
    "Your credit balance is too low to access the Anthropic API.",
  ),
  badKey: anthropicError(401, "authentication_error", "invalid x-api-key"),
  cut,
  ok: (text) =>
    json(200, {
      id: "m1",
      type: "message",
      role: "assistant",
      model: "m-1",
      content: [{ type: "text", text }],
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 1 },
    }),
  streamed: (...pieces) =>
    sse([
      messageStart,
      blockStart,
      ...pieces.map(blockDelta),
      event({ type: "content_block_stop", index: 0 }),
      event({ type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
      event({ type: "message_stop" }),
    ]),
  broken: (pieces, how) =>
    broken(
      [messageStart, blockStart, ...pieces.map(blockDelta)],
      how,
      event({ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }),
    ),
};
