import type { Request, Response } from "express";
import type { z } from "zod";
import type { Principal } from "../access/principal.ts";
import type { Occasion } from "../audit/note-change.ts";
import type { Role, RouteContract } from "../contract/route.ts";
import type { ProjectRow } from "../projects/projects.ts";
import type { AppError } from "./app-error.ts";

type Parsed<T> = T extends z.ZodType ? z.output<T> : undefined;
type BodyOf<T extends RouteContract> = T extends { body: { kind: "json"; schema: infer S } }
  ? Parsed<S>
  : T extends { body: { kind: "raw" } }
    ? Buffer
    : undefined;
type AnswerOf<T extends RouteContract> = T extends { answer: { schema: infer S } }
  ? S extends z.ZodType
    ? z.input<S>
    : undefined
  : undefined;

/** What a handler gets: everything is checked, the caller may call, and the project is the caller's. */
export interface RouteCall<T extends RouteContract> {
  readonly principal: T["access"] extends "public" ? null : Principal;
  /** Of routes that are about one. */
  readonly project: T["access"] extends { readonly of: "project" } ? ProjectRow : null;
  /** Of a signed-in person in the project, for routes that are about one; else `null`. */
  readonly role: Role | null;
  /** Who changes something here, and when. */
  readonly occasion: Occasion;
  readonly query: Parsed<T["query"]>;
  readonly params: Parsed<T["params"]>;
  readonly body: BodyOf<T>;
  readonly nowMs: number;
  readonly req: Request;
  readonly res: Response;
}

export type RouteHandler<T extends RouteContract> = (call: RouteCall<T>) => Promise<AnswerOf<T>>;

/** Answers a planned failure in the format that the caller speaks. */
export type ErrorSender = (req: Request, res: Response, error: AppError) => void;

/** A contract with what fulfils it. */
export interface BoundRoute {
  readonly contract: RouteContract;
  readonly handle: (call: RouteCall<RouteContract>) => Promise<unknown>;
  /** Problem details when left out. */
  readonly sendError?: ErrorSender | undefined;
}

export function bindRoute<T extends RouteContract>(
  contract: T,
  handle: RouteHandler<T>,
  sendError?: ErrorSender,
): BoundRoute {
  return { contract, handle: handle as unknown as BoundRoute["handle"], sendError };
}
