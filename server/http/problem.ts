import type { ErrorRequestHandler, Request, Response } from "express";
import type { Logger } from "pino";
import { DatabaseAway, isDatabaseAway } from "../ingest/failure.ts";
import { describeUnpackFault, judgeUnpackFault } from "../packing/unpack-fault.ts";
import { AppError } from "./app-error.ts";
import { toLoggable } from "./loggable-error.ts";
import type { ErrorSender } from "./route.ts";

/** Sends a planned failure as RFC 9457 problem details. */
export function sendProblem(_req: Request, res: Response, error: AppError): void {
  res.set(error.headers);
  res.status(error.status).type("application/problem+json");
  res.send(
    JSON.stringify({
      type: `urn:busyhour:error:${error.code}`,
      title: error.title,
      status: error.status,
      code: error.code,
      ...(error.detail === undefined ? {} : { detail: error.detail }),
      ...(error.errors === undefined ? {} : { errors: error.errors }),
      requestId: res.getHeader("X-Request-Id"),
    }),
  );
}

/**
 * The last handler: planned failures say what they are, in the route's own format where it has one; all else is a
 * bug, logged and never described.
 */
export function handleError(log: Logger): ErrorRequestHandler {
  return (error: unknown, req, res, next) => {
    if (res.headersSent) {
      next(error);
      return;
    }
    const planned = toAppError(error, req.headers["content-encoding"]);
    if (planned === null) {
      const failure = toLoggable(error);
      log.error({ failure, requestId: res.getHeader("X-Request-Id"), path: req.path }, "unexpected error");
    }
    if (planned !== null && planned.status === 413) res.set("Connection", "close");
    const send = (res.locals["sendError"] as ErrorSender | undefined) ?? sendProblem;
    send(
      req,
      res,
      planned ?? new AppError({ status: 500, code: "internal", title: "Something went wrong on our side" }),
    );
  };
}

function toAppError(error: unknown, encoding: string | undefined): AppError | null {
  if (error instanceof AppError) return error;
  if (isDatabaseAway(error)) return new DatabaseAway("The database does not answer.");
  return fromUnpacking(error, encoding) ?? fromExpress(error);
}

/** Express' own client errors: a path that cannot be decoded, for one. */
function fromExpress(error: unknown): AppError | null {
  if (typeof error !== "object" || error === null || !isClientError(error)) return null;
  return new AppError({
    status: 400,
    code: "invalid_body",
    title: "The request could not be read",
    detail: "Its body or its path is not what its headers say.",
  });
}

/** What zlib threw, which nothing but a body comes to. */
function fromUnpacking(error: unknown, encoding = "packed"): AppError | null {
  const fault = judgeUnpackFault(error);
  if (fault === null) return null;
  const words = describeUnpackFault(fault, encoding.toLowerCase());
  return new AppError({
    status: 400,
    code: "invalid_body",
    title: "The body could not be unpacked",
    detail: `${words.charAt(0).toUpperCase()}${words.slice(1)}. Pack it anew, or send it without Content-Encoding.`,
  });
}

/** Errors of Express that are the caller's doing carry a status of 400 to 499. */
function isClientError(error: object): boolean {
  return "status" in error && typeof error.status === "number" && error.status >= 400 && error.status < 500;
}
