import type { Outcome } from "@busyhour/sdk";
import { BATCH_EVENING, type DayCurve, NOTEBOOK_DAY, SUPPORT_DAY } from "./curves.ts";
import type { Moment } from "./local-hour.ts";
import type { TargetName } from "./targets.ts";

/** Where the sample project is at home: its apps and its holiday follow this clock. */
export const HOME_ZONE = "America/New_York";

/** Failures that can happen at any hour, with their share of attempts, 0–1. */
export type FaultShares = Readonly<Partial<Record<Outcome, number>>>;

/** One of the apps that make calls. */
export interface Source {
  readonly name: string;
  readonly curve: DayCurve;
  /** Requests on a Saturday or Sunday against a weekday, 0–1. */
  readonly weekendFactor: number;
  readonly isStream: boolean;
  /** Spread of the five-minute counts beyond pure chance: sigma of a log-normal factor. */
  readonly burstSigma: number;
  /** How often the same target is tried before the next link of the chain. */
  readonly triesPerTarget: number;
  readonly faults: FaultShares;
}

/** Requests of one kind: what one chain of one app carries. */
export interface Flow {
  readonly name: string;
  readonly source: Source;
  /** `null` for calls that have no fallback. */
  readonly chain: string | null;
  /** From the wanted target to the floor. */
  readonly links: readonly [TargetName, ...TargetName[]];
  /** On an ordinary weekday. */
  readonly requestsPerDay: number;
  /** Medians. */
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly from?: Moment;
  readonly until?: Moment;
}

const supportChat: Source = {
  name: "support-chat",
  curve: SUPPORT_DAY,
  weekendFactor: 0.3,
  isStream: true,
  burstSigma: 0.2,
  triesPerTarget: 1,
  faults: {
    rate_limit: 0.004,
    timeout: 0.002,
    server_error: 0.003,
    network: 0.0015,
    invalid_request: 0.001,
    context_length: 0.001,
    content_filter: 0.0025,
    cancelled: 0.012,
  },
};

const docPipeline: Source = {
  name: "doc-pipeline",
  curve: BATCH_EVENING,
  weekendFactor: 0.4,
  isStream: false,
  burstSigma: 0.6,
  triesPerTarget: 2,
  faults: {
    rate_limit: 0.012,
    timeout: 0.003,
    server_error: 0.003,
    network: 0.002,
    invalid_request: 0.002,
    context_length: 0.005,
    content_filter: 0.0005,
  },
};

const researchNotebook: Source = {
  name: "research-notebook",
  curve: NOTEBOOK_DAY,
  weekendFactor: 0.15,
  isStream: true,
  burstSigma: 0.5,
  triesPerTarget: 2,
  faults: { rate_limit: 0.003, timeout: 0.004, server_error: 0.003, invalid_request: 0.01, cancelled: 0.03 },
};

/** When the newest model appeared, and when the European endpoint was switched off. */
export const NEW_MODEL_SINCE: Moment = { daysAgo: 9, hour: 10 };
export const RETIRED_AT: Moment = { daysAgo: 21, hour: 11 };

const tokens = (inputTokens: number, outputTokens: number) => ({ inputTokens, outputTokens });

export const FLOWS: readonly Flow[] = [
  {
    ...flow(supportChat, "support-answer", 1_800, ["opus", "sonnet", "gptMini", "local"]),
    ...tokens(1_900, 260),
  },
  { ...flow(supportChat, "support-draft", 650, ["sonnet", "gptMini", "local"]), ...tokens(1_200, 210) },
  { ...flow(supportChat, "support-triage", 1_250, ["gptMini", "geminiFlash", "local"]), ...tokens(700, 60) },
  { ...flow(supportChat, "support-translate", 500, ["qwen", "geminiFlash", "local"]), ...tokens(500, 320) },
  {
    ...flow(supportChat, "support-preview", 420, ["geminiNew", "opus", "gptMini", "local"]),
    ...tokens(1_900, 280),
    from: NEW_MODEL_SINCE,
  },
  {
    ...flow(docPipeline, "doc-extract", 1_150, ["gpt", "geminiPro", "deepseek", "local"]),
    ...tokens(5_200, 480),
  },
  {
    ...flow(docPipeline, "doc-extract-eu", 380, ["gptEurope", "gpt", "geminiPro", "local"]),
    ...tokens(5_200, 480),
    until: RETIRED_AT,
  },
  {
    ...flow(docPipeline, "doc-summarise", 1_000, ["deepseek", "qwen", "geminiFlash", "local"]),
    ...tokens(7_400, 340),
  },
  {
    ...flow(docPipeline, "doc-check", 600, ["geminiPro", "gpt", "deepseek", "local"]),
    ...tokens(3_800, 190),
  },
  { ...flow(docPipeline, "doc-tag", 450, ["geminiFlash", "gptMini", "local"]), ...tokens(1_600, 40) },
  { ...flow(docPipeline, "doc-sort", 260, ["local"]), ...tokens(900, 20), chain: null },
  { ...flow(researchNotebook, "notebook", 45, ["geminiPro", "opus"]), ...tokens(2_600, 700) },
  { ...flow(researchNotebook, "notebook-mistral", 4, ["mistral"]), ...tokens(2_100, 520), chain: null },
];

function flow(source: Source, name: string, requestsPerDay: number, links: Flow["links"]) {
  return { name, source, chain: name, links, requestsPerDay };
}
