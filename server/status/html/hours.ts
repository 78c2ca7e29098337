import { listBusySpans, type UsualHours } from "../measure/busy-hours.ts";
import { GAP } from "../measure/quarter-levels.ts";
import type { StatusWords } from "../words/words.ts";
import { html, type Markup } from "./markup.ts";

const hourOf = (hour: number) => `${String(hour % 24).padStart(2, "0")}:00`;
/** Days of calls without which nothing is said of usual hours. */
const LEAST_DAYS = 10;

/** When a component is usually busy: a sentence, and behind it the hours one by one. */
export function renderHours(hours: UsualHours, name: string, zone: string, words: StatusWords): Markup {
  const cells = (levels: readonly number[]) =>
    levels.map((level, hour) => {
      const text = `${hourOf(hour)}–${hourOf(hour + 1)}: ${cellWord(level, words)}`;
      return html`<td class="${level === GAP ? "gap" : `l${level}`}" title="${text}"><span class="hidden">${cellWord(level, words)}</span></td>`;
    });
  const row = (days: string, levels: readonly number[]) =>
    html`<tr><th scope="row">${days}</th>${cells(levels)}</tr>`;
  const heads = Array.from({ length: 24 }, (_, hour) => {
    const shown =
      hour % 6 === 0 ? html`<span aria-hidden="true">${String(hour).padStart(2, "0")}</span>` : null;
    return html`<th scope="col">${shown}<span class="hidden">${hourOf(hour)}</span></th>`;
  });
  return html`<details class="hours"><summary>${describeHours(hours, words)}</summary>
<table><caption class="hidden">${words.hours.caption(name, zone)}</caption>
<thead><tr><th scope="col"><span class="hidden">${words.hours.hour}</span></th>${heads}</tr></thead>
<tbody>${row(words.hours.weekdays, hours.weekdays)}${row(words.hours.weekend, hours.weekend)}</tbody></table></details>`;
}

/** When it is usually busy, in a sentence without a full stop. */
export function describeHours({ weekdays, weekend, days, repeats }: UsualHours, words: StatusWords): string {
  const { hours } = words;
  if (days < LEAST_DAYS) return hours.learning;
  const [ofWeek, ofEnd] = [weekdays, weekend].map((levels) => describeSpans(levels, words));
  if (ofWeek === null && ofEnd === null) return hours.quiet;
  if (!repeats) return hours.changing;
  if (ofWeek === ofEnd) return hours.usually([hours.on(hours.everyDay, ofWeek ?? "")]);
  return hours.usually([
    ...(ofWeek == null ? [] : [hours.on(hours.weekdays, ofWeek)]),
    ...(ofEnd == null ? [] : [hours.on(hours.weekend, ofEnd)]),
  ]);
}

function describeSpans(levels: readonly number[], words: StatusWords): string | null {
  const spans = listBusySpans(levels);
  if (spans.length === 0) return null;
  return words.hours.and(
    spans.map(({ from, to }) =>
      to - from >= 24 ? words.hours.allDay : words.hours.span(hourOf(from), hourOf(to)),
    ),
  );
}

function cellWord(level: number, words: StatusWords): string {
  const { cell } = words.hours;
  if (level === GAP) return cell.gap;
  return [cell.quiet, cell.busy, cell.veryBusy, cell.unavailable][level] ?? cell.quiet;
}
