import type {
  AttemptsStep,
  ConcurrencyStep,
  DiagnosisStep,
  ElsewhereStep,
  KindStep,
  ScopeStep,
  TrafficStep,
} from "../contract/diagnosis.ts";

/** A step's verdict and numbers, before it is put into words. */
type Unsaid<T extends DiagnosisStep> = Omit<T, "asks" | "says">;

export type KindFinding = Unsaid<KindStep>;
export type TrafficFinding = Unsaid<TrafficStep>;
export type AttemptsFinding = Unsaid<AttemptsStep>;
export type ConcurrencyFinding = Unsaid<ConcurrencyStep>;
export type ScopeFinding = Unsaid<ScopeStep>;
export type ElsewhereFinding = Unsaid<ElsewhereStep>;

/** All steps, in the order in which to look. */
export interface Findings {
  readonly kind: KindFinding;
  readonly traffic: TrafficFinding;
  readonly attempts: AttemptsFinding;
  readonly concurrency: ConcurrencyFinding;
  readonly scope: ScopeFinding;
  readonly elsewhere: ElsewhereFinding;
}
