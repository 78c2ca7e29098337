import type { Formats } from "../../messages/formats.ts";
import { drawChart } from "./draw-chart.ts";
import { drawGrid } from "./draw-grid.ts";
import { drawText, escapeXml, type Picture, type Token } from "./picture.ts";

export interface Framed {
  readonly width: number;
  readonly height: number;
  readonly svg: string;
}

const MARGIN = 24;
const HEAD = 62;

/** A drawing with title, range, zone and number of calls above it: it explains itself wherever it is pasted. */
export function toSvg(picture: Picture, title: string, formats: Formats, token: Token): Framed {
  const drawing =
    picture.kind === "grid"
      ? drawGrid(picture.grid, picture.legend, formats.shareShort, token)
      : drawChart(picture.model, picture.format, token);
  const width = drawing.width + 2 * MARGIN;
  const height = drawing.height + HEAD + MARGIN;
  const [ink, soft] = [token("--ink"), token("--ink-soft")];
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="${escapeXml(token("--font-text"))}">`,
    `<title>${escapeXml(title)}</title>`,
    `<rect width="${width}" height="${height}" fill="${token("--paper")}"/>`,
    drawText(MARGIN, 30, title, { size: 18, fill: ink, weight: 600 }),
    drawText(MARGIN, 50, `${picture.note} · ${picture.basis}`, { size: 12, fill: soft }),
    `<g transform="translate(${MARGIN} ${HEAD})">${drawing.svg}</g>`,
    "</svg>",
  ];
  return { width, height, svg: svg.join("") };
}
