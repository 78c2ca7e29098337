export type { AttemptError, AttemptEvent } from "./attempt-event.ts";
export { BatchError, type BatchErrorKind, isBatchError } from "./batch/batch-error.ts";
export { type BatchBar, createBatchBar, formatBatchProgress } from "./batch/progress-text.ts";
export { runBatch } from "./batch/run-batch.ts";
export type {
  BatchItemError,
  BatchOptions,
  BatchProgress,
  BatchResult,
  BatchStore,
  BatchSummary,
  BatchWaiting,
  CallItem,
  CountedItems,
  FinishedItem,
  ItemCall,
  OpenBatchStore,
} from "./batch/types.ts";
export type { Classification, Failure, FailureScope, HeadersLike } from "./classify/classification.ts";
export { classify, createClassifier } from "./classify/classify.ts";
export { EXPLANATIONS, type Explanation, type ExplanationLanguage } from "./classify/explanations.ts";
export {
  type FailureInput,
  FailureInputError,
  type FailureInputFault,
  isFailureLine,
  parseFailureLine,
  parsePastedFailure,
} from "./classify/parse-failure.ts";
export type { Rule, RuleWords } from "./classify/rule.ts";
export { findReason } from "./classify/rules/reasons.ts";
export {
  classifyEvidence,
  createEvidenceClassifier,
  type Evidence,
  toEvidence,
  toEvidenceText,
} from "./evidence/evidence.ts";
export { cleanCharacters, MAX_TEXT_LENGTH, scrubText } from "./evidence/scrub.ts";
export { asOneRequest } from "./observe/as-one-request.ts";
export { findProviderOfHost } from "./observe/hosts.ts";
export { observe } from "./observe/observe.ts";
export { type AiSdkMiddleware, observeAiSdk } from "./observe/observe-ai-sdk.ts";
export { observeAnthropic } from "./observe/observe-anthropic.ts";
export { type AwsPlugin, observeBedrock } from "./observe/observe-bedrock.ts";
export type { Classify, ObserveOptions, ObserveSystem } from "./observe/options.ts";
export { type CallNotes, type RecordTarget, record } from "./observe/record.ts";
export { flushObserved } from "./observe/recorder.ts";
export { type Fault, OUTCOME_TRAITS, OUTCOMES, type Outcome, type OutcomeTraits } from "./outcome.ts";
export { isJobError, JobError, type JobErrorFacts } from "./queue/job-error.ts";
export { isQueued, type QueuedRun, type Ticket, type TicketJob, type WhenBusy } from "./queue/ticket.ts";
export type {
  HandleJob,
  JobCall,
  JobResult,
  QueueJob,
  QueueServer,
  QueueWorker,
  WorkOptions,
  WorkProblem,
  WorkStats,
  WorkWaiting,
} from "./queue/types.ts";
export { work } from "./queue/work.ts";
export type { ProblemCode } from "./report/judge-answer.ts";
export type { ReporterOptions, ReporterProblem } from "./report/options.ts";
export type { Report } from "./report/report.ts";
export { createReporter, type Reporter, type ReporterStats } from "./report/reporter.ts";
export { parseRetryAfterMs } from "./report/retry-delay.ts";
export type { ReporterNote } from "./report/store.ts";
export { createUuidV7, type MakeUuidV7 } from "./report/uuid-v7.ts";
export { createHealth, type Health } from "./router/board.ts";
export { json } from "./router/output/json.ts";
export type { Checked, OutputCheck } from "./router/output/output-check.ts";
export type { StandardSchema } from "./router/output/standard-schema.ts";
export { text } from "./router/output/text.ts";
export type {
  PlanChain,
  PlanDocument,
  PlanProblem,
  PlanTarget,
  PlanWindow,
  Weekday,
} from "./router/plan/plan-document.ts";
export { getPlanHour, type PlanHour } from "./router/plan/plan-hour.ts";
export { readPlan } from "./router/plan/read-plan.ts";
export { rehearse } from "./router/rehearse/rehearse.ts";
export type {
  Rehearsal,
  RehearsalCase,
  RehearsalFailure,
  RehearsalFailureReason,
  RehearsalOptions,
  RehearsalProgress,
  RehearsedTarget,
} from "./router/rehearse/types.ts";
export { type RetryWhenBusyOptions, retryWhenBusy } from "./router/retry-when-busy.ts";
export { createRouter } from "./router/router.ts";
export { isRouterError, RouterError, type RouterErrorKind } from "./router/router-error.ts";
export type { PlanSource, PlanSourceProblem } from "./router/sync/plan-source.ts";
export type { PlanStore } from "./router/sync/plan-store.ts";
export type { RouterSystem } from "./router/system.ts";
export type {
  AttemptReport,
  Call,
  CallProvider,
  Chain,
  Choice,
  PlanPart,
  Provider,
  RetryPolicy,
  Router,
  RouterOptions,
  RunOptions,
  RunResult,
  Stage,
  StreamProvider,
  StreamResult,
  Target,
  TargetHealth,
  TargetState,
} from "./router/types.ts";
export { type UserMessages, userMessage } from "./router/words.ts";
export { findRouterError } from "./wrap/find-router-error.ts";
export {
  type AiModel,
  type AiTarget,
  type LanguageModelOptions,
  languageModel,
  type RoutedModel,
} from "./wrap/language-model.ts";
export type { RouteOptions, WrapOptions } from "./wrap/route-options.ts";
export { type OpenAIClient, type RoutedOpenAI, wrapOpenAI } from "./wrap/wrap-openai.ts";
