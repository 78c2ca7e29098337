import { createHash } from "node:crypto";
import { PRIORITIES, type Priority } from "../contract/job.ts";

/** What jobs have in common by which they are chosen. */
export interface LaneParts {
  readonly queue: string;
  readonly submitter: string;
  /** Place in `PRIORITIES`. */
  readonly priority: number;
  /** Empty: no target is named. */
  readonly provider: string;
  readonly model: string;
  /** Empty: any. */
  readonly endpoint: string;
  /** Empty: none is named. */
  readonly chain: string;
  /** 0: none. */
  readonly gateId: number;
}

export interface Lane extends LaneParts {
  readonly id: number;
}

/** Whom jobs of a gate will call, and in what way it lets them go. */
export interface GateSubject {
  readonly mode: "window" | "calm";
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
  readonly chain: string;
}

/** The first 16 bytes of SHA-256 as a UUID: PostgreSQL's narrowest column that holds them. */
export function toHash(...parts: readonly (string | number)[]): string {
  const hex = createHash("sha256").update(JSON.stringify(parts)).digest("hex");
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

export const hashLane = (lane: LaneParts) =>
  toHash(
    lane.queue,
    lane.submitter,
    lane.priority,
    lane.provider,
    lane.model,
    lane.endpoint,
    lane.chain,
    lane.gateId,
  );

export const hashGate = ({ mode, provider, model, endpoint, chain }: GateSubject) =>
  toHash(mode, provider, model, endpoint, chain);

export function toPriority(place: number): Priority {
  return PRIORITIES[place] ?? "normal";
}

/** The target as answers have it; `null`: none was named. */
export function toTarget({ provider, model, endpoint }: Pick<LaneParts, "provider" | "model" | "endpoint">) {
  return provider === "" ? null : { provider, model, endpoint: endpoint === "" ? null : endpoint };
}
