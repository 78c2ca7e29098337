import { type DayCurve, EVENING_LOAD, FLAT_LOAD, OFFICE_LOAD } from "./curves.ts";

export type Provider = "anthropic" | "openai" | "google" | "deepseek" | "openrouter" | "ollama";

export type TargetName =
  | "opus"
  | "sonnet"
  | "gpt"
  | "gptEurope"
  | "gptMini"
  | "geminiPro"
  | "geminiFlash"
  | "geminiNew"
  | "deepseek"
  | "qwen"
  | "mistral"
  | "local";

/** One model at one endpoint, with how full it is when. All of it is made up: no provider was measured. */
export interface Target {
  readonly provider: Provider;
  readonly model: string;
  readonly endpoint: string;
  readonly servedModel: string;
  /** Where its customers live: its busy hours follow their clock. */
  readonly zone: string;
  readonly load: DayCurve;
  /** Level of a Saturday or Sunday against a weekday, 0–1. */
  readonly weekendFactor: number;
  /** Share of capacity errors at load 0 and at load 1, 0–1. */
  readonly quietShare: number;
  readonly busyShare: number;
  /** Median until the first token, at load 0. */
  readonly firstTokenMs: number;
  readonly msPerOutputToken: number;
}

const NEW_YORK = "America/New_York";
const SHANGHAI = "Asia/Shanghai";

/** Full on weekdays from ten to four in New York, calm at weekends. */
const american = { zone: NEW_YORK, load: OFFICE_LOAD, weekendFactor: 0.15 } as const;
/** The same in Shanghai: New York's late evening and night. */
const chinese = { zone: SHANGHAI, load: OFFICE_LOAD, weekendFactor: 0.3 } as const;
/** Full every evening, on weekends too. */
const evening = { zone: "America/Los_Angeles", load: EVENING_LOAD, weekendFactor: 1 } as const;
const patternless = { zone: "UTC", load: FLAT_LOAD, weekendFactor: 1 } as const;

export const TARGETS: Readonly<Record<TargetName, Target>> = {
  opus: {
    provider: "anthropic",
    model: "claude-opus-4-5",
    endpoint: "api.anthropic.com",
    servedModel: "claude-opus-4-5-20251101",
    ...american,
    quietShare: 0.003,
    busyShare: 0.12,
    firstTokenMs: 1_300,
    msPerOutputToken: 16,
  },
  sonnet: {
    provider: "anthropic",
    model: "claude-sonnet-4-5",
    endpoint: "api.anthropic.com",
    servedModel: "claude-sonnet-4-5-20250929",
    ...american,
    quietShare: 0.003,
    busyShare: 0.07,
    firstTokenMs: 850,
    msPerOutputToken: 11,
  },
  gpt: {
    provider: "openai",
    model: "gpt-5",
    endpoint: "api.openai.com",
    servedModel: "gpt-5-2025-08-07",
    ...american,
    quietShare: 0.003,
    busyShare: 0.1,
    firstTokenMs: 1_600,
    msPerOutputToken: 13,
  },
  /** Retired three weeks before the anchor. */
  gptEurope: {
    provider: "openai",
    model: "gpt-5",
    endpoint: "eu.api.openai.com",
    servedModel: "gpt-5-2025-08-07",
    ...american,
    zone: "Europe/Berlin",
    quietShare: 0.006,
    busyShare: 0.06,
    firstTokenMs: 1_900,
    msPerOutputToken: 14,
  },
  gptMini: {
    provider: "openai",
    model: "gpt-5-mini",
    endpoint: "api.openai.com",
    servedModel: "gpt-5-mini-2025-08-07",
    ...american,
    quietShare: 0.002,
    busyShare: 0.03,
    firstTokenMs: 520,
    msPerOutputToken: 6,
  },
  geminiPro: {
    provider: "google",
    model: "gemini-2.5-pro",
    endpoint: "us-central1",
    servedModel: "gemini-2.5-pro",
    ...evening,
    quietShare: 0.005,
    busyShare: 0.11,
    firstTokenMs: 1_800,
    msPerOutputToken: 10,
  },
  geminiFlash: {
    provider: "google",
    model: "gemini-2.5-flash",
    endpoint: "us-central1",
    servedModel: "gemini-2.5-flash",
    ...patternless,
    quietShare: 0.02,
    busyShare: 0.02,
    firstTokenMs: 430,
    msPerOutputToken: 4,
  },
  /** New nine days before the anchor, and everybody wants to try it. */
  geminiNew: {
    provider: "google",
    model: "gemini-3-pro-preview",
    endpoint: "global",
    servedModel: "gemini-3-pro-preview",
    ...american,
    quietShare: 0.02,
    busyShare: 0.17,
    firstTokenMs: 2_200,
    msPerOutputToken: 12,
  },
  deepseek: {
    provider: "deepseek",
    model: "deepseek-chat",
    endpoint: "api.deepseek.com",
    servedModel: "deepseek-chat",
    ...chinese,
    quietShare: 0.005,
    busyShare: 0.12,
    firstTokenMs: 1_500,
    msPerOutputToken: 24,
  },
  qwen: {
    provider: "openrouter",
    model: "qwen/qwen3-max",
    endpoint: "openrouter.ai",
    servedModel: "qwen/qwen3-max",
    ...chinese,
    quietShare: 0.006,
    busyShare: 0.08,
    firstTokenMs: 1_200,
    msPerOutputToken: 18,
  },
  /** A few calls per day: too thin for any statement. */
  mistral: {
    provider: "openrouter",
    model: "mistralai/mistral-large",
    endpoint: "openrouter.ai",
    servedModel: "mistralai/mistral-large-2411",
    ...american,
    zone: "Europe/Paris",
    quietShare: 0.01,
    busyShare: 0.06,
    firstTokenMs: 900,
    msPerOutputToken: 17,
  },
  /** The floor: a small model on an own machine that always has room. */
  local: {
    provider: "ollama",
    model: "llama3.1:8b",
    endpoint: "gpu-1.internal",
    servedModel: "llama3.1:8b-instruct-q8_0",
    ...patternless,
    quietShare: 0,
    busyShare: 0,
    firstTokenMs: 240,
    msPerOutputToken: 14,
  },
};
