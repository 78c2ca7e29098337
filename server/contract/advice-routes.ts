import * as advice from "./advice.ts";
import { forReaders } from "./callers.ts";
import * as diagnosis from "./diagnosis.ts";
import * as episode from "./episode.ts";
import * as orders from "./orders.ts";
import { defineRoute, type RouteContract } from "./route.ts";

export const getAdvice = defineRoute({
  method: "get",
  path: "/api/advice",
  summary: "When to run what can wait, per target, with the evidence; or why nothing is advised.",
  access: forReaders,
  query: advice.adviceQuery,
  answer: { status: 200, description: "A verdict per target.", schema: advice.adviceAnswer },
});

export const getOrders = defineRoute({
  method: "get",
  path: "/api/advice/orders",
  summary: "In which order to ask a chain's targets, by block of the week, with gain, loss and backtest.",
  access: forReaders,
  query: orders.ordersQuery,
  answer: { status: 200, description: "A verdict per chain.", schema: orders.ordersAnswer },
});

export const getCapacity = defineRoute({
  method: "get",
  path: "/v1/capacity",
  summary: "For scripts: how busy it is now, what is usual at this hour, and the next good window.",
  access: forReaders,
  query: advice.capacityQuery,
  answer: { status: 200, description: "Of all matching targets together.", schema: advice.capacityAnswer },
});

export const getEpisodes = defineRoute({
  method: "get",
  path: "/api/episodes",
  summary: "When targets were short of room, how long until they recover and how many tries it takes.",
  access: forReaders,
  query: episode.episodesQuery,
  answer: { status: 200, description: "Episodes, and what is usual.", schema: episode.episodesAnswer },
});

export const getDiagnosis = defineRoute({
  method: "get",
  path: "/api/diagnosis",
  summary: "Why a model was short, step by step, of an episode or of a range; and what to do.",
  access: forReaders,
  query: diagnosis.diagnosisQuery,
  answer: { status: 200, description: "Six steps and remedies.", schema: diagnosis.diagnosisAnswer },
});

/** What is learnt of the past. */
export const ADVICE_ROUTES: readonly RouteContract[] = [
  getAdvice,
  getOrders,
  getEpisodes,
  getDiagnosis,
  getCapacity,
];
