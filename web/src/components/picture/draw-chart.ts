import type { ChartModel, ChartSeries } from "../chart-model.ts";
import { widthOf } from "./draw-grid.ts";
import { type Drawing, drawText, round, type Token } from "./picture.ts";

const WIDTH = 960;
const PLOT = { left: 64, top: 10, width: WIDTH - 72, height: 280 };
const BOTTOM = PLOT.top + PLOT.height;
const X_LABELS = 8;

/** Lines or stacked bars: gaps stay gaps, and the buckets that are not over are dashed. */
export function drawChart(model: ChartModel, format: (value: number) => string, token: Token): Drawing {
  const count = model.labels.length;
  const top = niceTop(highest(model));
  const slot = PLOT.width / Math.max(1, count);
  const y = (value: number) => BOTTOM - (value / top) * PLOT.height;
  const parts = [drawAxes(model.labels, top, format, slot, token)];
  if (model.kind === "bars") parts.push(drawBars(model, y, slot, token));
  else for (const series of model.series) parts.push(drawLine(series, model.openFrom, y, slot, token));
  const legend = drawSeriesLegend(model, BOTTOM + 40, token);
  return { width: WIDTH, height: BOTTOM + 40 + legend.height, svg: parts.join("") + legend.svg };
}

function highest({ kind, labels, series }: ChartModel): number {
  const columns = labels.map((_, i) => series.map(({ values }) => values[i] ?? 0));
  const heights = columns.map((values) =>
    kind === "bars" ? values.reduce((sum, value) => sum + value, 0) : Math.max(0, ...values),
  );
  return Math.max(0, ...heights);
}

/** The next of 1, 2, 2.5 and 5 times a power of ten; 1 for nothing. */
export function niceTop(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10);
}

function drawAxes(
  labels: readonly string[],
  top: number,
  format: (value: number) => string,
  slot: number,
  token: Token,
): string {
  const soft = token("--ink-soft");
  const ticks = [0, 1, 2, 3, 4].map((i) => {
    const at = round(BOTTOM - (i / 4) * PLOT.height);
    const label = drawText(PLOT.left - 8, at + 4, format((top * i) / 4), { fill: soft, anchor: "end" });
    return `<path d="M${PLOT.left} ${at}h${PLOT.width}" stroke="${token("--rule")}"/>${label}`;
  });
  const every = Math.max(1, Math.ceil(labels.length / X_LABELS));
  const names = labels.flatMap((label, i) =>
    i % every === 0 && PLOT.left + i * slot < WIDTH - 60
      ? [drawText(PLOT.left + i * slot, BOTTOM + 18, label, { fill: soft })]
      : [],
  );
  return [...ticks, ...names].join("");
}

function drawBars(
  { series, labels, openFrom }: ChartModel,
  y: (value: number) => number,
  slot: number,
  token: Token,
): string {
  return labels
    .map((_, i) => {
      let below = 0;
      const isOpen = openFrom !== -1 && i >= openFrom;
      const dashes = isOpen
        ? ` fill-opacity="0.5" stroke="${token("--ink-soft")}" stroke-dasharray="3 3"`
        : "";
      return series
        .map(({ values, color }) => {
          const value = values[i] ?? 0;
          if (value === 0) return "";
          const [from, to] = [y(below), y(below + value)];
          below += value;
          const box = `x="${round(PLOT.left + i * slot + slot * 0.04)}" y="${round(to)}" width="${round(slot * 0.92)}" height="${round(from - to)}"`;
          return `<rect ${box} fill="${token(color)}"${dashes}/>`;
        })
        .join("");
    })
    .join("");
}

function drawLine(
  { values, color, isEarlier }: ChartSeries,
  openFrom: number,
  y: (value: number) => number,
  slot: number,
  token: Token,
): string {
  const x = (i: number) => PLOT.left + (i + 0.5) * slot;
  const point = (i: number) => `${round(x(i))} ${round(y(values[i] ?? 0))}`;
  const stroke = `stroke="${token(color)}" fill="none" stroke-width="${isEarlier === true ? 1.5 : 2}"`;
  let closed = "";
  let open = "";
  let dots = "";
  for (const [i, value] of values.entries()) {
    if (value === null) continue;
    const hasLeft = (values[i - 1] ?? null) !== null;
    const isOpen = openFrom !== -1 && i >= openFrom;
    if (!hasLeft && (values[i + 1] ?? null) === null)
      dots += `<circle cx="${round(x(i))}" cy="${round(y(value))}" r="2" fill="${token(color)}"/>`;
    if (!hasLeft) closed += `M${point(i)}`;
    else if (isOpen) open += `M${point(i - 1)}L${point(i)}`;
    else closed += `L${point(i)}`;
  }
  const dashes = isEarlier === true ? ' stroke-dasharray="3 3"' : "";
  return `<path d="${closed}" ${stroke}${dashes}/><path d="${open}" ${stroke} stroke-dasharray="4 4"/>${dots}`;
}

function drawSeriesLegend({ series, kind }: ChartModel, y: number, token: Token) {
  let x = PLOT.left;
  let row = 0;
  const parts = series.map(({ name, color, isEarlier }) => {
    const width = 24 + widthOf(name) + 18;
    if (x + width > WIDTH) {
      x = PLOT.left;
      row += 1;
    }
    const at = y + row * 20;
    const mark =
      kind === "bars"
        ? `<rect x="${x}" y="${at - 9}" width="10" height="10" fill="${token(color)}"/>`
        : `<path d="M${x} ${at - 4}h18" stroke="${token(color)}" stroke-width="2.5"${isEarlier === true ? ' stroke-dasharray="3 3"' : ""}/>`;
    const part = mark + drawText(x + 24, at, name, { fill: token("--ink-soft") });
    x = round(x + width);
    return part;
  });
  return { height: (row + 1) * 20, svg: parts.join("") };
}
