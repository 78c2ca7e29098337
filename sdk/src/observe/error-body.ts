import type { AttemptError } from "../attempt-event.ts";

type Json = { readonly [key: string]: unknown };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Whether an answer with a good status is none: several providers and most gateways put errors into a 200. */
export function isErrorBody(body: unknown): boolean {
  if (Array.isArray(body)) return body.length > 0 && isErrorBody(body[0]);
  if (!isObject(body)) return false;
  if (isObject(body["error"]) || (typeof body["error"] === "string" && body["error"] !== "")) return true;
  if (body["type"] === "error" || body["object"] === "error") return true;
  if (isObject(body["response"]) && body["response"]["status"] === "failed") return true;
  if (body["object"] === "response" && body["status"] === "failed") return true;
  const baseResponse = body["base_resp"];
  if (
    isObject(baseResponse) &&
    typeof baseResponse["status_code"] === "number" &&
    baseResponse["status_code"] > 0
  )
    return true;
  const choices = body["choices"];
  if (Array.isArray(choices) && choices.some((choice) => isObject(choice) && isObject(choice["error"])))
    return true;
  return (
    typeof body["message"] === "string" &&
    (typeof body["code"] === "string" || typeof body["error_code"] === "number") &&
    !("choices" in body || "output" in body || "content" in body)
  );
}

/** What a body, or what a client threw, says in its own words; `undefined` when it says nothing. */
export function describeError(body: unknown, exception?: unknown): AttemptError | undefined {
  const said = describeBody(body);
  if (said !== undefined) return said;
  return exception === undefined ? undefined : describeException(exception);
}

function describeBody(body: unknown): AttemptError | undefined {
  if (typeof body === "string") return describeText(body);
  if (Array.isArray(body)) return describeBody(body[0]);
  if (!isObject(body)) return undefined;
  const inner = findInner(body);
  const error: AttemptError = {};
  const type = inner["type"] ?? inner["status"] ?? inner["__type"] ?? body["__type"];
  if (typeof type === "string") error.type = type;
  const code = inner["code"] ?? inner["error_code"] ?? inner["status_code"];
  if (typeof code === "string" || typeof code === "number") error.code = code;
  const message =
    inner["message"] ??
    inner["Message"] ??
    inner["error_msg"] ??
    inner["status_msg"] ??
    inner["detail"] ??
    body["message"];
  if (typeof message === "string") error.message = message;
  return error.type === undefined && error.code === undefined && error.message === undefined
    ? undefined
    : error;
}

/** The object that holds the words: providers nest it under `error`, `response.error`, a choice, or nothing. */
function findInner(body: Json): Json {
  if (isObject(body["error"])) return body["error"];
  if (typeof body["error"] === "string") return { message: body["error"], ...body };
  for (const key of ["response", "base_resp"]) {
    const inner = body[key];
    if (isObject(inner)) return isObject(inner["error"]) ? inner["error"] : inner;
  }
  const choices = body["choices"];
  const first = Array.isArray(choices)
    ? choices.find((choice) => isObject(choice) && isObject(choice["error"]))
    : null;
  return isObject(first) && isObject(first["error"]) ? first["error"] : body;
}

/** A page for people says what it is in its title. */
function describeText(text: string): AttemptError | undefined {
  const title = /<title[^>]*>([^<]*)<\/title>/i.exec(text)?.[1];
  const message = (title ?? text.replace(/<[^>]*>/g, " ")).replace(/\s+/g, " ").trim();
  return message === "" ? undefined : { message };
}

/** Class, code and words of what was thrown; the deepest cause with a code is the telling one. */
function describeException(exception: unknown): AttemptError | undefined {
  if (typeof exception === "string") return { message: exception };
  let telling: unknown = exception;
  for (let cause = exception, depth = 0; isObjectLike(cause) && depth < 8; cause = cause["cause"], depth++) {
    telling = cause;
    if (typeof cause["code"] === "string") break;
  }
  if (!isObjectLike(telling)) return undefined;
  const error: AttemptError = {};
  if (typeof telling["name"] === "string") error.type = telling["name"];
  if (typeof telling["code"] === "string") error.code = telling["code"];
  if (typeof telling["message"] === "string") error.message = telling["message"];
  return error;
}

const isObjectLike = (value: unknown): value is Json => typeof value === "object" && value !== null;
