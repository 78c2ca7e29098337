import type { z } from "zod";
import type { Sql } from "../../db/connect.ts";
import type { Advice, adviceQuery } from "../contract/advice.ts";
import type { Orders, ordersQuery } from "../contract/orders.ts";
import { getAdvice } from "./advice.ts";
import { getOrders } from "./orders/orders.ts";
import { readTargets } from "./orders/read-targets.ts";
import { readAllowed } from "./read-allowed.ts";

type Asked<T> = Omit<T, "project" | "asOf" | "zone"> & { readonly zone: string };

/** What is asked of the past, whenever that is: the query as it was read, with the zone that it means. */
export type Question =
  | { readonly of: "windows"; readonly query: Asked<z.output<typeof adviceQuery>> }
  | { readonly of: "orders"; readonly query: Asked<z.output<typeof ordersQuery>> };

export type AnswerTo<Q extends Question> = Q extends { of: "windows" } ? Advice : Orders;

export interface Occasion {
  readonly projectId: number;
  /** Attempts from here on do not count. */
  readonly asOfMs: number;
  /** The plan that was in force then is the one to better. */
  readonly planAtMs: number;
  readonly nowMs: number;
}

/** @throws AppError 422 where the query names what cannot be */
export async function answerQuestion<Q extends Question>(
  sql: Sql,
  question: Q,
  occasion: Occasion,
): Promise<AnswerTo<Q>>;
export async function answerQuestion(
  sql: Sql,
  question: Question,
  occasion: Occasion,
): Promise<Advice | Orders> {
  if (question.of === "windows") {
    const { hours, allowed, zone, ...filter } = question.query;
    const wish = { lengthHours: hours, allowed: readAllowed(allowed, hours) };
    return getAdvice(sql, { ...occasion, filter, zone, wish });
  }
  const { chain, targets, attempts, ...query } = question.query;
  return getOrders(sql, {
    ...occasion,
    ...query,
    chain,
    attempts,
    targets: targets === undefined ? null : readTargets(targets),
  });
}
