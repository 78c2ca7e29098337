import { OUTCOMES } from "@busyhour/sdk";
import type { Point, Quantiles, Step } from "../../../../server/contract/share.ts";
import type { ChartModel, ChartSeries } from "../../components/chart-model.ts";
import type { TableData } from "../../components/table-data.ts";
import type { Messages } from "../../messages/en.ts";
import type { Formats } from "../../messages/formats.ts";

/** Start of a bucket in the words of an axis. */
export function labelPoints(points: readonly Point[], step: Step, formats: Formats): string[] {
  return points.map(({ start }) => {
    const ms = Date.parse(start);
    return step === "1d" ? formats.day(ms) : formats.dateTime(ms);
  });
}

const openFrom = (points: readonly Point[]) => points.findIndex(({ isOpen }) => isOpen);

/** Attempts by how they ended, as stacked bars; outcomes that never came up are left out. */
export function toOutcomeChart(
  points: readonly Point[],
  labels: readonly string[],
  withOk: boolean,
  messages: Messages,
): ChartModel {
  const series = OUTCOMES.filter(
    (outcome) => (withOk || outcome !== "ok") && points.some(({ outcomes }) => (outcomes[outcome] ?? 0) > 0),
  ).map((outcome) => ({
    name: messages.outcomes[outcome],
    color: `--outcome-${outcome}`,
    values: points.map(({ outcomes }) => outcomes[outcome] ?? 0),
  }));
  return { kind: "bars", labels, series, unit: "count", openFrom: openFrom(points) };
}

/** The capacity share over time; buckets with too few calls are gaps, for their shares jump about. */
export function toCapacityChart(
  points: readonly Point[],
  earlier: readonly Point[] | null,
  labels: readonly string[],
  count: "attempts" | "requests",
  messages: Messages,
): ChartModel {
  const share = (point: Point | undefined) => {
    const cell = count === "attempts" ? point?.capacity : point?.requestCapacity;
    return cell === undefined || cell.state !== "enough" ? null : cell.rate;
  };
  const name = messages.models.capacity;
  const series: ChartSeries[] = [{ name, color: "--outcome-capacity", values: points.map(share) }];
  if (earlier !== null) {
    series.unshift({
      name: messages.models.beforeLabel(name),
      color: "--ink-soft",
      isEarlier: true,
      values: points.map((_, i) => share(earlier[i])),
    });
  }
  return { kind: "lines", labels, series, unit: "share", openFrom: openFrom(points) };
}

const QUANTILES = ["p50", "p95", "p99"] as const;
const LINES = { p50: "--line-1", p95: "--line-2", p99: "--line-3" } as const;

/** Percentiles over time, with the same ones of an earlier time when one compares. */
export function toQuantileChart(
  points: readonly Point[],
  earlier: readonly Point[] | null,
  labels: readonly string[],
  measure: (point: Point) => Quantiles,
  messages: Messages,
): ChartModel {
  const { quantiles, beforeLabel } = messages.models;
  // One line to compare with is read; three more are a thicket.
  const compared = earlier === null ? [] : (["p95"] as const);
  const series: ChartSeries[] = [
    ...QUANTILES.map((q) => ({
      name: quantiles[q],
      color: LINES[q],
      values: points.map((point) => measure(point)[q]),
    })),
    ...compared.map((q) => ({
      name: beforeLabel(quantiles[q]),
      color: LINES[q],
      isEarlier: true,
      values: points.map((_, i) => {
        const point = earlier?.[i];
        return point === undefined ? null : measure(point)[q];
      }),
    })),
  ];
  return { kind: "lines", labels, series, unit: "milliseconds", openFrom: openFrom(points) };
}

export const hasValues = ({ series }: ChartModel) =>
  series.some(({ values }) => values.some((value) => value !== null && value !== 0));

/** A chart's numbers as rows: the same values, one column per series. */
export function toChartTable(
  title: string,
  context: readonly string[],
  points: readonly Point[],
  model: ChartModel,
  messages: Messages,
): TableData {
  return {
    title,
    context,
    columns: [messages.columns.time, ...model.series.map(({ name }) => name)],
    rows: points.map(({ start, isOpen }, i) => [
      isOpen ? `${start} (${messages.models.unfinished})` : start,
      ...model.series.map(({ values }) => values[i] ?? null),
    ]),
  };
}
