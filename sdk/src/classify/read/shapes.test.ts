import { describe, expect, it } from "vitest";
import { classify } from "../classify.ts";

/** Each wraps the same overload under words that say something else. */
const WRAPPED: readonly [string, unknown][] = [
  ["JSON in JSON", { error: { code: 500, message: '{"error":{"message":"The engine is overloaded"}}' } }],
  [
    "JSON in JSON in JSON",
    { message: JSON.stringify({ detail: JSON.stringify({ msg: "engine overloaded" }) }) },
  ],
  [
    "a raw upstream answer",
    { error: { message: "Quota?", metadata: { raw: { message: "engine overloaded" } } } },
  ],
  ["an array", [{ error: { message: "The engine is overloaded" } }]],
  ["texts in an array", { errors: ["The engine is overloaded"] }],
  ["a bare JSON string", '"The engine is overloaded"'],
  ["a stream's event", 'event: error\ndata: {"type":"error","error":{"message":"engine overloaded"}}\n\n'],
  ["a field called after the exception", { serviceException: { message: "The engine is overloaded" } }],
  ["a failed response", { type: "response.failed", response: { error: { message: "engine overloaded" } } }],
  ["a choice", { choices: [{ error: { message: "The engine is overloaded" }, message: { content: "" } }] }],
];
const PRINTED: readonly [string, string][] = [
  [
    "a Python dict",
    "RateLimitError: Error code: 429 - {'error': {'message': \"it's overloaded\", 'code': None}}",
  ],
  ["Python bytes", `BadRequestError: quota - b'{"error":{"message":"engine overloaded"}}'`],
  ["a JavaScript object", "Error: limit\n  cause: {\n  code: 429,\n  message: 'engine overloaded'\n}"],
  ["Rust", 'ServiceException { message: Some("The engine is overloaded") }'],
  [
    "JSON that was cut off",
    'HTTP 500: {"error":{"type":"x","message":"The engine is overloa ded, overloaded by',
  ],
  ["escaped JSON", '{"outer": {\\"error\\":{\\"message\\":\\"engine overloaded\\"}}'],
  ["what Apple's clients print", 'Error Domain=ServiceErrorDomain Code=-7 "The engine is overloaded"'],
  ["an abbreviation in the plural", "no GPUs available"],
  ["JSON behind a wrong guess", 'QUOTA_EXCEEDED - {"error":{"message":"The engine is overloaded"}}'],
];

describe("an overload is found in", () => {
  it.each(WRAPPED)("%s", (_, body) => {
    expect(classify({ status: 400, body }).outcome).toBe("capacity");
  });

  it.each(PRINTED)("%s", (_, exception) => {
    expect(classify({ exception }).outcome).toBe("capacity");
  });

  it("what SDKs throw", () => {
    const error = { type: "error", error: { type: "x", message: "The engine is overloaded" } };
    const thrown = [
      Object.assign(new Error("bad"), { status: 400, error }),
      Object.assign(new Error("bad"), { statusCode: 400, responseBody: JSON.stringify(error) }),
      Object.assign(new Error("bad"), { response: { status: 400, data: error } }),
      Object.assign(new Error("bad"), {
        lastError: Object.assign(new Error("x"), { responseBody: JSON.stringify(error) }),
      }),
      new Error("bad", { cause: new Error("worse", { cause: new Error("The engine is overloaded") }) }),
      new AggregateError([new Error("The engine is overloaded")], "all failed"),
    ];
    for (const exception of thrown) expect(classify({ exception }).outcome).toBe("capacity");
  });
});

describe("a map as protobuf prints it", () => {
  it("is read by its own keys: a quota of nothing never frees", () => {
    const sized = (size: number) =>
      `Quota exceeded. metadata {\n  key: "quota_limit_value"\n  value: "${size}"\n}`;
    expect(classify({ status: 429, exception: sized(0) }).retryable).toBe(false);
    expect(classify({ status: 429, exception: sized(60) }).retryable).toBe(
      classify({ status: 429, exception: "Quota exceeded." }).retryable,
    );
  });
});

describe("statuses in words", () => {
  it.each([
    ["HTTP 401: no", 401],
    ["Error code: 403 - no", 403],
    ["unexpected status 404 Not Found: gone", 404],
    ["API Error: 529", 529],
    ["[502]: no", 502],
    ["acme.test | 524: A timeout occurred", 524],
    ["StatusCode: 400, RequestID: 1", 400],
    ["429 no", 429],
    ["Server responded with status 503.", 503],
  ])("%s", (exception, status) => {
    expect(classify({ exception }).status).toBe(status);
  });

  it.each([
    "I saw 429 birds",
    "token 503 of 504",
    "429 tokens were too many",
    "order 404-B",
    "in 500 ms",
    "port 4290",
  ])("%s names none", (exception) => {
    expect(classify({ exception }).status).toBeNull();
  });

  it("an inner one counts more than the outer", () => {
    const body = "An error occurred: Server responded with status 429. It went wrong.";
    expect(classify({ status: 400, body }).outcome).toBe("rate_limit");
  });
});

describe("an answer with status 200", () => {
  it.each([
    [{ error: { code: 1, message: "The llama sleeps" } }],
    [{ errors: ["nap"] }],
    [{ code: 30104, msg: "nap" }],
    [{ code: "NapFailed" }],
    [{ success: false }],
    [{ Output: { __type: "acme#NapException" } }],
  ])("%j is never ok", (body) => {
    expect(classify({ status: 200, body }).outcome).toBe("server_error");
  });

  it.each([
    [{ error: null, output: [{ type: "code_interpreter_call", code: "raise Error()" }] }],
    [{ code: 0, errors: [], error: false, error_msg: "" }],
    [{ code: 200, success: true, data: { id: 1 } }],
    [{ code: 1, msg: "success" }],
    [{ choices: [{ message: { content: "error 500" } }] }],
  ])("%j is ok", (body) => {
    expect(classify({ status: 200, body }).outcome).toBe("ok");
  });
});

describe("a line that goes on in lower case", () => {
  it("was broken to fit, and ends no sentence", () => {
    expect(classify({ status: 400, exception: "It was considered high\n risk" }).outcome).toBe(
      "content_filter",
    );
  });
});

describe("who aborted", () => {
  const abort = new DOMException("This operation was aborted", "AbortError");

  it("is told by the caller, else by the words", () => {
    expect(classify({ exception: abort, isAborted: true }).outcome).toBe("cancelled");
    expect(classify({ exception: abort, isAborted: false }).outcome).toBe("timeout");
    expect(classify({ exception: abort }).outcome).toBe("cancelled");
    expect(classify({ exception: new DOMException("aborted due to timeout", "TimeoutError") }).outcome).toBe(
      "timeout",
    );
  });

  it("a caller's abort beats what the client made of it", () => {
    const exception = Object.assign(new TypeError("fetch failed"), { cause: abort });
    expect(classify({ exception, isAborted: true }).outcome).toBe("cancelled");
  });
});
