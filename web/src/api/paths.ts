import type { ExportFormat } from "../../../server/contract/exports.ts";
import type { CountKind, Step } from "../../../server/contract/share.ts";
import { type RangeChoice, resolveRange } from "../app/range.ts";
import type { Target } from "../app/scope.ts";

export type Query = Readonly<Record<string, string | number | null | undefined>>;

/** A path with its query; what is absent is left out. */
export function toPath(path: string, query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) params.set(name, String(value));
  }
  const text = params.toString();
  return text === "" ? path : `${path}?${text}`;
}

/** Which figures: of which project, of which target or all of them. */
export interface Where {
  readonly project: string | null;
  readonly target?: Target | null;
}

export interface RangeQuestion extends Where {
  /** `null`: the route's own. */
  readonly range: RangeChoice | null;
  /** So long before the range: for comparisons. */
  readonly agoMs?: number;
}

export interface NowQuestion {
  readonly project: string;
  readonly zone: string;
  readonly count: CountKind;
}

export interface ShareQuestion extends RangeQuestion {
  readonly zone: string;
  readonly count: CountKind;
}

export interface SeriesQuestion extends RangeQuestion {
  readonly zone: string;
  readonly step?: Step | undefined;
}

const MINUTE_MS = 60_000;

const toWhere = ({ project, target = null }: Where): Query => ({
  project,
  provider: target?.provider,
  model: target?.model,
  endpoint: target?.endpoint,
});

/** Resolved anew at each call, so that "the last hour" ends now; to the minute, which is how figures are cut. */
function toTimes(range: RangeChoice | null, agoMs = 0): Query {
  if (range === null) return {};
  const { fromMs, toMs } = resolveRange(range, Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const isOpen = range.kind === "last" && agoMs === 0;
  return { from: fromMs - agoMs, to: isOpen ? null : toMs - agoMs };
}

export const projectsPath = () => "/api/projects";

export const nowPath = ({ project, zone, count }: NowQuestion) =>
  toPath("/api/now", { project, zone, count });

/** Of a route that takes a target and a range. */
export const rangePath = (path: string, { range, agoMs, ...where }: RangeQuestion) =>
  toPath(path, { ...toWhere(where), ...toTimes(range, agoMs) });

export const sharePath = (path: string, { zone, count, range, agoMs, ...where }: ShareQuestion) =>
  toPath(path, { ...toWhere(where), ...toTimes(range, agoMs), zone, count });

export const seriesPath = ({ zone, range, step, agoMs, ...where }: SeriesQuestion) =>
  toPath("/api/series", { ...toWhere(where), ...toTimes(range, agoMs), zone, step });

export interface AdviceQuestion {
  readonly project: string;
  readonly zone: string;
  /** Length of the wanted windows. */
  readonly hours: number;
  /** Like `8-20`; `null` for all hours. */
  readonly allowed: string | null;
}

export const advicePath = ({ project, zone, hours, allowed }: AdviceQuestion) =>
  toPath("/api/advice", { project, zone, hours, allowed });

export const ordersPath = (project: string, zone: string) => toPath("/api/advice/orders", { project, zone });

export interface ExportQuestion extends AdviceQuestion {
  readonly format: ExportFormat;
  readonly locale: "en" | "zh";
}

export const exportPath = ({ format, project, zone, hours, allowed, locale }: ExportQuestion) =>
  toPath(`/api/exports/${format}`, { project, zone, hours, allowed, locale });

export interface EpisodesQuestion extends RangeQuestion {
  readonly zone: string;
}

export const episodesPath = ({ zone, range, ...where }: EpisodesQuestion) =>
  toPath("/api/episodes", { ...toWhere(where), ...toTimes(range), zone });

export interface DiagnosisQuestion extends EpisodesQuestion {
  /** Number of an episode, in place of target and range. */
  readonly episode: number | null;
  readonly locale: "en" | "zh";
}

export const diagnosisPath = ({ episode, project, target, range, zone, locale }: DiagnosisQuestion) =>
  toPath("/api/diagnosis", {
    ...(episode === null
      ? { ...toWhere({ project, target: target ?? null }), ...toTimes(range) }
      : { project, episode }),
    zone,
    locale,
  });
