import { describe, expect, it } from "vitest";
import { describeError, isErrorBody } from "./error-body.ts";

describe("errors in bodies", () => {
  it.each([
    [{ error: { message: "m" } }, true],
    [{ error: "m" }, true],
    [[{ error: { code: 503 } }], true],
    [{ type: "error", error: { type: "overloaded_error" } }, true],
    [{ type: "response.failed", response: { status: "failed", error: {} } }, true],
    [{ base_resp: { status_code: 1002, status_msg: "m" } }, true],
    [{ choices: [{ error: { code: 502 }, finish_reason: "error" }] }, true],
    [{ code: "Throttling", message: "m" }, true],
    [{ object: "response", error: null, status: "completed" }, false],
    [{ base_resp: { status_code: 0 }, choices: [] }, false],
    [{ choices: [{ message: { content: "error" } }] }, false],
    [{ code: "x", message: "m", output: {} }, false],
    [[], false],
    [null, false],
    ["error", false],
  ])("%j: %s", (body, expected) => {
    expect(isErrorBody(body)).toBe(expected);
  });

  it.each([
    [{ error: { type: "t", code: "c", message: "m" } }, { type: "t", code: "c", message: "m" }],
    [
      { error: { code: 503, status: "UNAVAILABLE", message: "m" } },
      { type: "UNAVAILABLE", code: 503, message: "m" },
    ],
    [[{ error: { message: "m" } }], { message: "m" }],
    [{ error: "m" }, { message: "m" }],
    [
      { __type: "ThrottlingException", message: "m" },
      { type: "ThrottlingException", message: "m" },
    ],
    [{ response: { error: { code: "c", message: "m" } } }, { code: "c", message: "m" }],
    [{ base_resp: { status_code: 1002, status_msg: "m" } }, { code: 1002, message: "m" }],
    [{ choices: [{ error: { code: 502, message: "m" } }] }, { code: 502, message: "m" }],
    ["<html><head><title>502 Bad Gateway</title></head></html>", { message: "502 Bad Gateway" }],
    ["<p>Please   wait</p>", { message: "Please wait" }],
    [{}, undefined],
    ["", undefined],
  ])("says of %j what it says", (body, expected) => {
    expect(describeError(body)).toEqual(expected);
  });

  it("says of what was thrown the deepest cause that has a code", () => {
    const socket = Object.assign(new Error("other side closed"), {
      name: "SocketError",
      code: "UND_ERR_SOCKET",
    });
    const error = new TypeError("fetch failed", { cause: socket });
    expect(describeError(undefined, error)).toEqual({
      type: "SocketError",
      code: "UND_ERR_SOCKET",
      message: "other side closed",
    });
    const loop: { cause?: unknown; message: string } = { message: "m" };
    loop.cause = loop;
    expect(describeError(undefined, loop)).toEqual({ message: "m" });
    expect(describeError(undefined, null)).toBeUndefined();
  });
});
