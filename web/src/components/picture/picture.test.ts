import { describe, expect, it } from "vitest";
import { createFormats } from "../../messages/formats.ts";
import type { Cell } from "../cell.ts";
import type { ChartModel } from "../chart-model.ts";
import { niceTop } from "./draw-chart.ts";
import { toSvg } from "./to-svg.ts";

const formats = createFormats("en", "UTC");
/** Colours are their own names: what is painted with what can be read. */
const token = (name: string) => name;
const frame = { note: "Last 28 days · UTC", basis: "n = 1,234" };

/** Opening and closing tags match: enough of XML to be opened by what reads it. */
function expectWellFormed(svg: string): void {
  const open: string[] = [];
  for (const [, close, name, , self] of svg.matchAll(/<(\/?)(\w+)((?:\s[\w:-]+="[^"<]*")*)(\/?)>/g)) {
    if (close === "/") expect(open.pop()).toBe(name);
    else if (self === "") open.push(name as string);
  }
  expect(open).toEqual([]);
  expect(svg.replaceAll(/<[^<>]*>/g, "")).not.toMatch(/[<>]/);
}

const cell = (k: number, n: number, state: Cell["state"]): Cell => ({
  k,
  n,
  rate: n === 0 ? null : k / n,
  low: null,
  high: null,
  state,
});

describe("a grid as SVG", () => {
  const line = (label: string) => ({ key: label, label, isNow: false });
  const at = (id: string, of: Cell, isNow = false) => ({ id, cell: of, when: id, isNow });
  const { svg } = toSvg(
    {
      ...frame,
      kind: "grid",
      legend: ["0", "≤ 1", "≤ 2", "≤ 5", "≤ 10", "≤ 25", "> 25 %", "few", "none"],
      grid: {
        columns: [line("00"), line("01"), line("02"), line("03")],
        rows: [
          {
            ...line("Mon & <Tue>"),
            cells: [
              at("a", cell(3, 10, "few")),
              at("b", cell(0, 0, "none")),
              null,
              at("c", cell(30, 100, "enough"), true),
            ],
          },
        ],
      },
    },
    'Busy "hours" & more',
    formats,
    token,
  );

  it("is well formed, with its title, range, zone and number of calls", () => {
    expectWellFormed(svg);
    expect(svg).toContain("Busy &quot;hours&quot; &amp; more");
    expect(svg).toContain("Last 28 days · UTC · n = 1,234");
    expect(svg).toContain("Mon &amp; &lt;Tue&gt;");
  });

  it("keeps few, none and enough apart, and leaves absent hours blank", () => {
    const cells = svg.slice(0, svg.indexOf(">≤ 1<"));
    expect(cells.match(/stroke-dasharray="1 2"/g)).toHaveLength(1);
    expect(cells.match(/url\(#none\)/g)).toHaveLength(1);
    expect(cells.match(/fill="--heat-6"/g)).toHaveLength(1);
    expect(svg).toContain(">30.0<");
    expect(cells.match(/stroke="--ink" stroke-width="2"/g)).toHaveLength(1);
  });
});

describe("a chart as SVG", () => {
  const draw = (model: ChartModel) =>
    toSvg({ ...frame, kind: "chart", model, format: String }, "t", formats, token).svg;

  it("leaves gaps open, dots what stands alone, and dashes what is not over", () => {
    const svg = draw({
      kind: "lines",
      unit: "count",
      openFrom: 4,
      labels: ["a", "b", "c", "d", "e"],
      series: [{ name: "x < y", color: "--line-1", values: [1, null, 2, 4, 3] }],
    });
    expectWellFormed(svg);
    const [closed, open] = [...svg.matchAll(/<path d="([^"]*)" stroke="--line-1" fill="none"/g)].map(
      ([, d]) => d,
    );
    expect(closed?.match(/M/g)).toHaveLength(2);
    expect(closed?.match(/L/g)).toHaveLength(1);
    expect(open?.match(/L/g)).toHaveLength(1);
    expect(svg.match(/<circle/g)).toHaveLength(1);
    expect(svg).toContain("x &lt; y");
  });

  it("stacks bars to the sum of their bucket", () => {
    const svg = draw({
      kind: "bars",
      unit: "count",
      openFrom: -1,
      labels: ["a"],
      series: [
        { name: "x", color: "--outcome-ok", values: [30] },
        { name: "y", color: "--outcome-quota", values: [20] },
      ],
    });
    const heights = [...svg.matchAll(/height="([\d.]+)" fill="--outcome-/g)].map(([, height]) =>
      Number(height),
    );
    // Of 280 pixels for 50; the marks of the legend come after.
    expect(heights.slice(0, 2)).toEqual([168, 112]);
  });

  it("takes round numbers for its scale", () => {
    expect([0, 0.03, 1, 1.1, 2.4, 7, 1200].map(niceTop)).toEqual([1, 0.05, 1, 2, 2.5, 10, 2000]);
  });
});
