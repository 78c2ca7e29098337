import type { Outcome } from "@busyhour/sdk";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { KeyRecord, ListedProject, Me } from "../../../server/contract/access.ts";
import type { Advice } from "../../../server/contract/advice.ts";
import type {
  AlertRules,
  Alerts,
  MaintenanceWindow,
  RuleReplay,
  Silence,
} from "../../../server/contract/alert.ts";
import type { AlertRuleInput } from "../../../server/contract/alert-rule.ts";
import type { AuditPage } from "../../../server/contract/audit.ts";
import type { Channels, Deliveries, ToldKind } from "../../../server/contract/channel.ts";
import type { ClassificationRules } from "../../../server/contract/classification.ts";
import type { Diagnosis } from "../../../server/contract/diagnosis.ts";
import type { EpisodesAnswer } from "../../../server/contract/episode.ts";
import type { ExportAnswer } from "../../../server/contract/exports.ts";
import type { Job, JobWithLife } from "../../../server/contract/job.ts";
import type { AttemptPage, Models, Sources } from "../../../server/contract/listing.ts";
import type { Now } from "../../../server/contract/now.ts";
import type { Orders } from "../../../server/contract/orders.ts";
import type {
  Invitation,
  Member,
  Person,
  SessionRecord,
  SignInWays,
} from "../../../server/contract/people.ts";
import type { PlanChange, PlanVersion, PublishedPlan } from "../../../server/contract/plan.ts";
import type { QueueSettings, QueuesAnswer } from "../../../server/contract/queue.ts";
import type { Replay } from "../../../server/contract/replay.ts";
import type { ReportAnswer, Reports } from "../../../server/contract/report.ts";
import type { Rehearsal, RouterInstance } from "../../../server/contract/router-instance.ts";
import type { Calendar, Heatmap, Overview, PointSeries } from "../../../server/contract/share.ts";
import type { NoteRecord, StatusPageAnswer } from "../../../server/contract/status.ts";
import type { RangeChoice } from "../app/range.ts";
import { callApi } from "./client.ts";
import {
  type AdviceQuestion,
  advicePath,
  type DiagnosisQuestion,
  diagnosisPath,
  type EpisodesQuestion,
  type ExportQuestion,
  episodesPath,
  exportPath,
  type NowQuestion,
  nowPath,
  ordersPath,
  projectsPath,
  type Query,
  rangePath,
  type SeriesQuestion,
  type ShareQuestion,
  seriesPath,
  sharePath,
  toPath,
  type Where,
} from "./paths.ts";

const LIVE_MS = 30_000;
const SLOW_MS = 5 * 60_000;
/** Which router runs which plan is to be seen within seconds of a publication. */
const QUICK_MS = 5_000;

function get<T>(key: string, toPathNow: () => string, parts: readonly unknown[], refetchMs: number) {
  return queryOptions({
    queryKey: [key, ...parts],
    queryFn: ({ signal }) => callApi<T>(toPathNow(), { signal }),
    refetchInterval: refetchMs,
    staleTime: refetchMs / 2,
  });
}

export const projectsQuery = () => get<{ projects: ListedProject[] }>("projects", projectsPath, [], SLOW_MS);

/** Every target now, in one answer. */
export const nowQuery = (question: NowQuestion) =>
  get<Now>("now", () => nowPath(question), [question], LIVE_MS);

export const modelsQuery = (where: Where, range: RangeChoice | null = null) =>
  queryOptions({
    ...get<Models>("models", () => rangePath("/api/models", { ...where, range }), [where, range], LIVE_MS),
    placeholderData: keepPreviousData,
  });

export const overviewQuery = (where: Where, range: RangeChoice | null = null, agoMs = 0) =>
  get<Overview>(
    "overview",
    () => rangePath("/api/overview", { ...where, range, agoMs }),
    [where, range, agoMs],
    LIVE_MS,
  );

/** The newest attempts of a range that ended so. */
export const attemptsQuery = (where: Where, range: RangeChoice, outcome: Outcome, limit: number) =>
  get<AttemptPage>(
    "attempts",
    () => `${rangePath("/api/attempts", { ...where, range })}&outcome=${outcome}&limit=${limit}`,
    [where, range, outcome, limit],
    SLOW_MS,
  );

export const heatmapQuery = (question: ShareQuestion) =>
  get<Heatmap>("heatmap", () => sharePath("/api/heatmap", question), [question], SLOW_MS);

export const calendarQuery = (question: ShareQuestion) =>
  get<Calendar>("calendar", () => sharePath("/api/calendar", question), [question], SLOW_MS);

export const seriesQuery = (question: SeriesQuestion) =>
  get<PointSeries>("series", () => seriesPath(question), [question], LIVE_MS);

/** What is advised; what was shown stays while another wish is asked for. */
export const adviceQuery = (question: AdviceQuestion) =>
  queryOptions({
    ...get<Advice>("advice", () => advicePath(question), [question], SLOW_MS),
    placeholderData: keepPreviousData,
  });

export const ordersQuery = (project: string, zone: string) =>
  get<Orders>("orders", () => ordersPath(project, zone), [project, zone], SLOW_MS);

export const exportQuery = (question: ExportQuestion) =>
  queryOptions({
    ...get<ExportAnswer>("export", () => exportPath(question), [question], SLOW_MS),
    placeholderData: keepPreviousData,
  });

export const episodesQuery = (question: EpisodesQuestion) =>
  get<EpisodesAnswer>("episodes", () => episodesPath(question), [question], LIVE_MS);

export const diagnosisQuery = (question: DiagnosisQuestion) =>
  get<Diagnosis>("diagnosis", () => diagnosisPath(question), [question], SLOW_MS);

/** Polled while somebody watches for a first event. */
export const sourcesQuery = (where: Where, range: RangeChoice | null, refetchMs = LIVE_MS, agoMs = 0) =>
  get<Sources>(
    "sources",
    () => rangePath("/api/sources", { ...where, range, agoMs }),
    [where, range, agoMs],
    refetchMs,
  );

export const keysQuery = (project: string | null) =>
  get<{ keys: KeyRecord[] }>("keys", () => toPath("/api/keys", { project }), [project], LIVE_MS);

/** What strangers may see. */
export const statusPageQuery = (project: string) =>
  get<StatusPageAnswer>("statusPage", () => toPath("/api/status-page", { project }), [project], LIVE_MS);

export const statusNotesQuery = (project: string) =>
  get<{ notes: NoteRecord[] }>(
    "statusNotes",
    () => toPath("/api/status-notes", { project }),
    [project],
    LIVE_MS,
  );

/** Who is looking, and what they may do in this project. */
export const meQuery = (project: string) =>
  get<Me>("me", () => toPath("/api/me", { project }), [project], SLOW_MS);

export const rulesPath = (project: string) => toPath("/api/classification-rules", { project });

/** The project's own rules by which failures are named. */
export const rulesQuery = (project: string) =>
  get<ClassificationRules>("rules", () => rulesPath(project), [project], SLOW_MS);

export const signInWaysQuery = () => get<SignInWays>("ways", () => "/api/sign-in-ways", [], SLOW_MS);

export const membersQuery = (project: string) =>
  get<{ members: Member[] }>("members", () => toPath("/api/members", { project }), [project], SLOW_MS);

export const invitationsQuery = (project: string) =>
  get<{ invitations: Invitation[] }>(
    "invitations",
    () => toPath("/api/invitations", { project }),
    [project],
    SLOW_MS,
  );

export const usersQuery = () => get<{ users: Person[] }>("users", () => "/api/users", [], SLOW_MS);

/** One's own sessions, or those of everybody. */
export const sessionsQuery = (whose: "mine" | "all") =>
  get<{ sessions: SessionRecord[] }>(
    "sessions",
    () => (whose === "mine" ? "/api/me/sessions" : "/api/sessions"),
    [whose],
    SLOW_MS,
  );

export interface AuditQuestion {
  /** `null`: the whole installation. */
  readonly project: string | null;
  readonly q: string | null;
  readonly action: string | null;
}

/** The audit log, newest first; further pages on request. */
export const auditQuery = ({ project, q, action }: AuditQuestion) => ({
  ...pages<AuditPage>("audit", project === null ? "/api/installation/audit" : "/api/audit", {
    project,
    q,
    action,
    limit: 50,
  }),
  placeholderData: keepPreviousData,
});

export type PlanWithDocument = PlanVersion & { readonly document: PublishedPlan };

/** One version of the plan; the published one when none is named. */
export const planQuery = (project: string, version: number | null = null) =>
  get<{ plan: PlanWithDocument | null }>(
    "plan",
    () => toPath("/api/plans/version", { project, version }),
    [project, version],
    LIVE_MS,
  );

/** What changes from one version to another; from the published one when none is named. */
export const planDiffQuery = (project: string, version: number, base: number | null) =>
  get<{ base: number; version: number; changes: PlanChange[] }>(
    "plan-diff",
    () => toPath("/api/plans/diff", { project, version, base }),
    [project, version, base],
    SLOW_MS,
  );

/** A question whose words are too many for an address. */
function ask<T>(key: string, path: string, project: string, body: unknown) {
  return queryOptions({
    queryKey: [key, project, body],
    queryFn: ({ signal }) =>
      callApi<T>(toPath(path, { project }), {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
        signal,
      }),
    staleTime: SLOW_MS,
  });
}

/** What a plan would have made of the last seven days. */
export const replayQuery = (project: string, document: PublishedPlan) =>
  ask<Replay>("replay", "/api/plans/replay", project, { document });

export const routersQuery = (project: string) =>
  get<{ published: { version: number; publishedAt: string } | null; routers: RouterInstance[] }>(
    "routers",
    () => toPath("/api/routers", { project }),
    [project],
    QUICK_MS,
  );

/** Pages of a list, newest first, more of them on request. */
function pages<T extends { readonly next: string | null }>(key: string, path: string, question: Query) {
  return infiniteQueryOptions({
    queryKey: [key, question],
    queryFn: ({ signal, pageParam }) =>
      callApi<T>(toPath(path, { ...question, cursor: pageParam }), { signal }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  });
}

export const plansQuery = (project: string) =>
  pages<{ plans: PlanVersion[]; next: string | null }>("plans", "/api/plans", { project, limit: 20 });

export const rehearsalsQuery = (project: string) =>
  pages<{ rehearsals: Rehearsal[]; next: string | null }>("rehearsals", "/api/rehearsals", {
    project,
    limit: 20,
  });

/** What is firing; asked again as often as rules are judged. */
export const alertsQuery = (project: string) =>
  get<Alerts>("alerts", () => toPath("/api/alerts", { project }), [project], LIVE_MS);

export const pastAlertsQuery = (project: string) =>
  pages<Alerts>("past-alerts", "/api/alerts", { project, state: "resolved", limit: 20 });

export const alertRulesQuery = (project: string) =>
  get<AlertRules>("alert-rules", () => toPath("/api/rules", { project }), [project], SLOW_MS);

/** What a rule would have told of the last 14 days. */
export const ruleReplayQuery = (project: string, rule: AlertRuleInput) =>
  ask<RuleReplay>("rule-replay", "/api/rules/replay", project, { rule });

export const silencesQuery = (project: string) =>
  get<{ silences: Silence[] }>("silences", () => toPath("/api/silences", { project }), [project], LIVE_MS);

export const maintenanceQuery = (project: string) =>
  get<{ windows: MaintenanceWindow[] }>(
    "maintenance",
    () => toPath("/api/maintenance-windows", { project }),
    [project],
    SLOW_MS,
  );

export const channelsQuery = (project: string, locale: "en" | "zh") =>
  get<Channels>("channels", () => toPath("/api/channels", { project, locale }), [project, locale], LIVE_MS);

/** What kind of channel an address is of. In a body: it is as good as a password. */
export const toldKindQuery = (project: string, address: string) =>
  ask<ToldKind>("channel-kind", "/api/channel-kinds", project, { address });

export const deliveriesQuery = (project: string, channel: number, locale: "en" | "zh") =>
  pages<Deliveries>("deliveries", `/api/channels/${channel}/deliveries`, { project, locale, limit: 20 });

export const reportsQuery = (project: string) =>
  get<Reports>("reports", () => toPath("/api/reports", { project }), [project], SLOW_MS);

/** A week in words; of one that goes on as far as it has come. */
export const reportQuery = (project: string, week: string, locale: "en" | "zh") =>
  get<ReportAnswer>(
    "report",
    () => toPath(`/api/reports/${week}`, { project, locale }),
    [project, week, locale],
    SLOW_MS,
  );

/** How much waits and why, and what will run when: of one queue, or of all. */
export const queuesQuery = (project: string, queue: string | null) =>
  queryOptions({
    ...get<QueuesAnswer>(
      "queues",
      () => toPath("/api/queues", { project, queue }),
      [project, queue],
      QUICK_MS,
    ),
    placeholderData: keepPreviousData,
  });

export interface JobsQuestion {
  readonly project: string;
  readonly state: string | null;
  readonly queue: string | null;
  readonly submitter: string | null;
  readonly key: string | null;
}

/** Jobs, newest first; further pages on request. */
export const jobsQuery = (question: JobsQuestion) => ({
  ...pages<{ jobs: Job[]; next: string | null }>("jobs", "/v1/jobs", { ...question, limit: 25 }),
  placeholderData: keepPreviousData,
  refetchInterval: LIVE_MS,
});

export const jobQuery = (project: string, id: number) =>
  get<JobWithLife>("job", () => toPath(`/v1/jobs/${id}`, { project }), [project, id], QUICK_MS);

export const queueSettingsQuery = (project: string) =>
  get<QueueSettings>("queue-settings", () => toPath("/api/queues/settings", { project }), [project], SLOW_MS);
