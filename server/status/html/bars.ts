import type { StatusState } from "../../contract/status.ts";
import { STATE_OF_LEVEL } from "../component-state.ts";
import type { Bar, SlotGrid } from "../measure/bars.ts";
import type { Times } from "../words/times.ts";
import type { StatusWords } from "../words/words.ts";
import { html, Markup } from "./markup.ts";

const MINUTE_MS = 60_000;
/** However short it was, one sees it. */
const LEAST_PART = 6;

/** What each slot of a grid is called; the same for all components of a page. */
export function labelSlots({ edgesMs, range, nowMs }: SlotGrid, times: Times, words: StatusWords): string[] {
  return edgesMs.slice(0, -1).map((fromMs, i) => {
    const toMs = edgesMs[i + 1] ?? fromMs;
    const label =
      range === "90d"
        ? times.date(fromMs)
        : `${times.near(fromMs, range === "24h" ? fromMs : 0)}–${times.time(toMs)}`;
    return toMs > nowMs ? `${label} (${words.soFar})` : label;
  });
}

/** A bar per slot, as a list: each says in words what it shows. */
export function renderBars(
  bars: readonly Bar[],
  labels: readonly string[],
  label: string,
  words: StatusWords,
): Markup {
  return html`<ol class="bars" aria-label="${label}">${bars.map((bar, i) => {
    const text = describeBar(bar, labels[i] ?? "", words);
    return html`<li class="${barClass(bar)}" title="${text}">${drawParts(bar)}<span class="hidden">${text}</span></li>`;
  })}</ol>`;
}

export function describeBar({ levelMs, gapMs }: Bar, label: string, words: StatusWords): string {
  const known = levelMs.flatMap((ms, level) =>
    ms > 0 ? [{ state: STATE_OF_LEVEL[level] as StatusState, ms }] : [],
  );
  const [first] = known;
  if (first === undefined) return words.slot(label, [words.was.noData]);
  if (known.length === 1 && gapMs === 0) return words.slot(label, [words.was[first.state]]);
  const parts = known.map(({ state, ms }) => words.part(words.was[state], inWords(ms, words)));
  if (gapMs >= MINUTE_MS) parts.push(words.part(words.was.noData, inWords(gapMs, words)));
  return words.slot(label, parts);
}

const inWords = (ms: number, words: StatusWords) => words.duration(Math.max(1, Math.round(ms / MINUTE_MS)));

function barClass({ levelMs, gapMs }: Bar): string {
  const kinds = levelMs.filter((ms) => ms > 0).length;
  if (kinds === 0) return "gap";
  if (kinds > 1 || gapMs > 0) return "";
  return `l${levelMs.findIndex((ms) => ms > 0)}`;
}

/** The worst stands at the bottom, what was fine above it, and what is not known is left out at the top. */
function drawParts({ levelMs, gapMs }: Bar): Markup | null {
  const allMs = levelMs.reduce((sum, ms) => sum + ms, gapMs);
  const kinds = levelMs.filter((ms) => ms > 0).length;
  if (kinds === 0 || (kinds === 1 && gapMs === 0)) return null;
  const order = [3, 2, 1, 4, 0].filter((level) => (levelMs[level] ?? 0) > 0);
  const sizes = order.map((level) => Math.max(LEAST_PART, Math.round(((levelMs[level] ?? 0) / allMs) * 100)));
  const topMost = 100 - Math.round((gapMs / allMs) * 100);
  let bottom = 0;
  const rects = order.map((level, i) => {
    const isLast = i === order.length - 1;
    const height = isLast ? Math.max(LEAST_PART, topMost - bottom) : (sizes[i] ?? 0);
    const y = Math.max(0, 100 - bottom - height);
    bottom += height;
    return `<rect class="l${level}" y="${y}" width="1" height="${height}"/>`;
  });
  return html`<svg viewBox="0 0 1 100" preserveAspectRatio="none" aria-hidden="true">${new Markup(rects.join(""))}</svg>`;
}
