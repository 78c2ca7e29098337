import { DAY_MS } from "../../rollup/levels.ts";
import { localDateAt } from "../../time/zone.ts";
import { STATE_OF_LEVEL } from "../component-state.ts";
import type { Spell } from "../measure/spells.ts";
import { isUnderWay, judgeNote, type Note } from "../notes/note-life.ts";
import type { PageSnapshot } from "../snapshot.ts";
import { nameOf, type View } from "../view.ts";
import type { Times } from "../words/times.ts";
import { type Language, pick, type StatusWords } from "../words/words.ts";
import { stateIcon } from "./icons.ts";
import { html, type Markup, paragraphs } from "./markup.ts";

/** Days of the past that the page itself tells of. */
export const HISTORY_DAYS = 14;
const MINUTE_MS = 60_000;

interface Telling {
  readonly snapshot: PageSnapshot;
  readonly view: View;
  readonly words: StatusWords;
  readonly times: Times;
}

/** A text that was perhaps written in the other language, and says so. */
export function local(text: { readonly en: string; readonly zh: string }, language: Language): Markup {
  const found = pick(text, language);
  return found.language === language
    ? html`${found.text}`
    : html`<span lang="${found.language === "zh" ? "zh-CN" : "en"}">${found.text}</span>`;
}

/** What goes on now: notes that are open, and busy times that are. */
export function renderOpen(telling: Telling): Markup | null {
  const { snapshot, words } = telling;
  const notes = snapshot.notes.filter((note) => isUnderWay(note, snapshot.asOfMs));
  if (notes.length === 0) return null;
  return html`<section class="now" aria-labelledby="now"><h2 id="now">${words.open}</h2>${notes.map((note) => renderNote(note, telling, "h3"))}</section>`;
}

export function renderPlanned(telling: Telling): Markup | null {
  const { snapshot, words } = telling;
  const planned = snapshot.notes
    .filter((note) => !judgeNote(note, snapshot.asOfMs).isOver && note.startsAtMs > snapshot.asOfMs)
    .reverse();
  if (planned.length === 0) return null;
  return html`<section aria-labelledby="planned"><h2 id="planned">${words.planned}</h2>${planned.map((note) => renderNote(note, telling, "h3"))}</section>`;
}

/** What happened on the last days, newest first, days on which nothing did left out. */
export function renderHistory(telling: Telling): Markup {
  const { snapshot, view, words, times } = telling;
  const { asOfMs } = snapshot;
  const sinceMs = asOfMs - HISTORY_DAYS * DAY_MS;
  const events = [
    ...snapshot.notes
      .filter((note) => judgeNote(note, asOfMs).isOver && note.startsAtMs >= sinceMs)
      .map((note) => ({ atMs: note.startsAtMs, markup: renderNote(note, telling, "h4") })),
    ...snapshot.components.flatMap(({ name, spells }) =>
      spells
        .filter(({ fromMs }) => fromMs >= sinceMs)
        .map((spell) => ({
          atMs: spell.fromMs,
          markup: renderSpell(spell, local(name, view.language), telling),
        })),
    ),
  ].sort((a, b) => b.atMs - a.atMs);
  const days = new Map<string, typeof events>();
  for (const event of events) {
    const date = localDateAt(view.zone, event.atMs);
    days.set(date, [...(days.get(date) ?? []), event]);
  }
  const list =
    events.length === 0
      ? html`<p class="soft">${words.quietTime(HISTORY_DAYS)}</p>`
      : html`<ol class="days">${[...days.values()].map(
          (ofDay) =>
            html`<li><h3>${times.date(ofDay[0]?.atMs ?? asOfMs)}</h3><div>${ofDay.map(({ markup }) => markup)}</div></li>`,
        )}</ol>`;
  return html`<section aria-labelledby="history"><h2 id="history">${words.history} <small>${words.historyNote(HISTORY_DAYS)}</small></h2>${list}<p class="soft">${words.earlier}</p></section>`;
}

function renderSpell(spell: Spell, name: Markup, { words, times }: Telling): Markup {
  const { fromMs, toMs, isOpen, level } = spell;
  const state = STATE_OF_LEVEL[level] ?? "busy";
  const duration = words.duration(Math.round((toMs - fromMs) / MINUTE_MS));
  const when = isOpen
    ? words.spell.lineOpen(times.time(fromMs))
    : words.spell.line(times.time(fromMs), times.near(toMs, fromMs), duration);
  return html`<p class="spell" id="s-${spell.id}" data-state="${state}">${stateIcon(state)}<span><b>${name}</b> ${words.was[state]}</span> <span class="soft">${when}</span></p>`;
}

function renderNote(note: Note, telling: Telling, heading: "h3" | "h4"): Markup {
  const { snapshot, view, words, times } = telling;
  const { state } = judgeNote(note, snapshot.asOfMs);
  const names = snapshot.components
    .filter(({ id }) => note.componentIds.includes(id))
    .map(({ name }) => nameOf(name, view.language));
  const title = html`${local(note.title, view.language)}`;
  const head = heading === "h3" ? html`<h3>${title}</h3>` : html`<h4>${title}</h4>`;
  const kind = note.kind === "maintenance" ? words.maintenance : words.impact[note.impact];
  const time =
    note.endsAtMs === null
      ? null
      : html`<p class="soft">${words.between(times.dateTime(note.startsAtMs), times.near(note.endsAtMs, note.startsAtMs))}</p>`;
  return html`<article class="note" id="n-${note.id}" data-kind="${note.kind}" data-impact="${note.impact}">
${head}<p class="facts">${[words.noteState[state], kind, names.length === 0 ? "" : words.touches(names)].filter((part) => part !== "").join(" · ")}</p>${time}
<ol class="updates">${[...note.updates]
    .reverse()
    .map(
      (update) =>
        html`<li><p class="step"><b>${words.noteState[update.state]}</b> <time datetime="${new Date(update.atMs).toISOString()}">${times.dateTime(update.atMs)}</time></p>${writtenIn(update.body, view.language)}</li>`,
    )}</ol></article>`;
}

function writtenIn(text: { readonly en: string; readonly zh: string }, language: Language): Markup {
  const found = pick(text, language);
  return found.language === language
    ? paragraphs(found.text)
    : html`<div lang="${found.language === "zh" ? "zh-CN" : "en"}">${paragraphs(found.text)}</div>`;
}
