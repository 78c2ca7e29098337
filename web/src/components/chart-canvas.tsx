import {
  BarController,
  BarElement,
  CategoryScale,
  type ChartConfiguration,
  Chart as ChartJs,
  LinearScale,
  LineController,
  LineElement,
  type Plugin,
  PointElement,
  Tooltip,
} from "chart.js";
import { useEffect, useRef } from "react";
import type { Formats } from "../messages/formats.ts";
import { type ChartModel, formatOf } from "./chart-model.ts";

ChartJs.register(
  BarController,
  BarElement,
  CategoryScale,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

export interface ChartCanvasProps {
  readonly label: string;
  readonly model: ChartModel;
  readonly formats: Formats;
}

/** The one place that knows Chart.js. It is made anew for another theme, since a canvas keeps its colours. */
export function ChartCanvas({ label, model, formats }: ChartCanvasProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<ChartJs | null>(null);
  useEffect(() => {
    if (canvas.current === null) return;
    const config = toConfig(model, formats);
    if (chart.current === null) chart.current = new ChartJs(canvas.current, config);
    else {
      chart.current.data = config.data;
      chart.current.options = config.options ?? {};
      chart.current.update("none");
    }
  }, [model, formats]);
  useEffect(
    () => () => {
      chart.current?.destroy();
      chart.current = null;
    },
    [],
  );
  return <canvas ref={canvas} role="img" aria-label={label} />;
}

function toConfig(model: ChartModel, formats: Formats): ChartConfiguration {
  const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
  const isStacked = model.kind === "bars";
  const format = formatOf(model, formats);
  const { openFrom } = model;
  ChartJs.defaults.font.family = token("--font-text");
  return {
    type: model.kind === "bars" ? "bar" : "line",
    plugins: [dashedOpenBucket(openFrom, token("--ink-soft"))],
    data: {
      labels: [...model.labels],
      datasets: model.series.map((series) => ({
        label: series.name,
        data: [...series.values],
        backgroundColor: token(series.color),
        borderColor: token(series.color),
        borderWidth: isStacked ? 0 : series.isEarlier ? 1.5 : 2,
        borderDash: series.isEarlier ? [3, 3] : [],
        ...(isStacked
          ? { categoryPercentage: 0.92, barPercentage: 1 }
          : {
              spanGaps: false,
              pointRadius: lonelyPoints(series.values),
              pointHitRadius: 8,
              segment: {
                borderDash: ({ p1DataIndex }: { p1DataIndex: number }) =>
                  openFrom !== -1 && p1DataIndex >= openFrom ? [4, 4] : undefined,
              },
            }),
      })),
    },
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: { mode: "index", intersect: false },
      scales: {
        x: {
          stacked: isStacked,
          grid: { display: false },
          border: { color: token("--rule-strong") },
          ticks: { color: token("--ink-soft"), maxRotation: 0, autoSkipPadding: 24, font: { size: 11 } },
        },
        y: {
          stacked: isStacked,
          beginAtZero: true,
          grid: { color: token("--rule") },
          border: { display: false },
          ticks: {
            color: token("--ink-soft"),
            maxTicksLimit: 5,
            ...(model.unit === "count" ? { precision: 0 } : {}),
            font: { size: 11 },
            callback: (value) => format(Number(value)),
          },
        },
      },
      plugins: {
        tooltip: {
          backgroundColor: token("--ink"),
          titleColor: token("--paper"),
          bodyColor: token("--paper"),
          cornerRadius: 3,
          filter: (item) => !isStacked || item.parsed.y !== 0,
          callbacks: {
            label: (item) => ` ${item.dataset.label ?? ""}: ${format(item.parsed.y ?? 0)}`,
          },
        },
      },
    },
  };
}

/** A value between two gaps has no line to be seen by: it gets a point. */
function lonelyPoints(values: readonly (number | null)[]): number[] {
  return values.map((value, i) =>
    value !== null && (values[i - 1] ?? null) === null && (values[i + 1] ?? null) === null ? 2 : 0,
  );
}

/** A dashed frame around the bucket that is not over. */
function dashedOpenBucket(openFrom: number, color: string): Plugin {
  return {
    id: "openBucket",
    afterDatasetsDraw({ ctx, chartArea, scales }) {
      const { x } = scales;
      if (openFrom < 0 || x === undefined) return;
      const center = x.getPixelForValue(openFrom);
      const half = (x.getPixelForValue(1) - x.getPixelForValue(0)) / 2;
      const left = Math.max(chartArea.left, center - half);
      ctx.save();
      ctx.strokeStyle = color;
      ctx.setLineDash([3, 3]);
      ctx.strokeRect(left, chartArea.top + 0.5, chartArea.right - left - 0.5, chartArea.height - 1);
      ctx.restore();
    },
  };
}
