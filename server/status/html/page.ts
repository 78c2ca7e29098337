import { isTrouble } from "../component-state.ts";
import { availableShare, makeGrid, RANGES, type RangeName, type SlotGrid, toBars } from "../measure/bars.ts";
import type { ComponentSnapshot, PageSnapshot } from "../snapshot.ts";
import { makeHeadline, nameOf, type Place, type View } from "../view.ts";
import { type Times, timesOf } from "../words/times.ts";
import { LANGUAGES, pick, type StatusWords, wordsOf } from "../words/words.ts";
import { ASSET_PATHS, iconPath } from "./assets.ts";
import { labelSlots, renderBars } from "./bars.ts";
import { local, renderHistory, renderOpen, renderPlanned } from "./events.ts";
import { renderHours } from "./hours.ts";
import { stateIcon } from "./icons.ts";
import { html, type Markup, paragraphs } from "./markup.ts";

/** Zones that are offered as one types; every other one is taken too. */
const COMMON_ZONES = [
  "UTC",
  "America/Los_Angeles",
  "America/Denver",
  "America/Chicago",
  "America/New_York",
  "America/Sao_Paulo",
  "Europe/London",
  "Europe/Berlin",
  "Europe/Paris",
  "Europe/Istanbul",
  "Africa/Lagos",
  "Africa/Johannesburg",
  "Asia/Dubai",
  "Asia/Kolkata",
  "Asia/Singapore",
  "Asia/Shanghai",
  "Asia/Tokyo",
  "Australia/Sydney",
  "Pacific/Auckland",
] as const;

/** The page as HTML, complete without a script. */
export function renderPage(snapshot: PageSnapshot, view: View, place: Place): string {
  const words = wordsOf(view.language);
  const times = timesOf(words, view.zone);
  const name = nameOf(snapshot.name, view.language);
  const headline = makeHeadline(snapshot.components, view.language, words);
  const telling = { snapshot, view, words, times };
  const robots = snapshot.isIndexed && !place.isPreview ? "index,follow" : "noindex,nofollow";
  const about = pick(snapshot.about, view.language);
  return html`<!doctype html>
<html lang="${words.tag}" data-zone="${view.zone}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="${robots}">
<title>${words.title(name)}</title>
<meta name="description" content="${headline.text}">
<link rel="canonical" href="${place.url}">
<link rel="icon" href="${iconPath(headline.state)}" type="image/svg+xml">
<link rel="stylesheet" href="${ASSET_PATHS.css}">
<script src="${ASSET_PATHS.js}"></script>
<link rel="alternate" type="application/atom+xml" href="${place.url}/history.atom?lang=${view.language}" title="${words.title(name)}">
<link rel="alternate" type="application/rss+xml" href="${place.url}/history.rss?lang=${view.language}" title="${words.title(name)}">
</head>
<body>
${place.isPreview && html`<p class="preview" role="note">${snapshot.isPublic ? words.previewPublic : words.preview}</p>`}
<header>
<p class="brand">${snapshot.homeUrl === null ? local(snapshot.name, view.language) : html`<a href="${safeUrl(snapshot.homeUrl)}" rel="noopener noreferrer">${local(snapshot.name, view.language)}</a>`}</p>
<nav aria-label="${words.language}">${LANGUAGES.map((language) => {
    const tag = wordsOf(language).tag;
    return html`<a href="${linkTo(view, place, { lang: language })}" hreflang="${tag}" lang="${tag}"${language === view.language && html` aria-current="true"`}>${language === "en" ? "English" : "中文"}</a>`;
  })}</nav>
</header>
<main>
<div class="headline" data-state="${headline.state}">
<h1>${stateIcon(headline.state)}<span>${headline.text}</span></h1>
<p>${headline.rest !== null && html`${headline.rest} `}${words.asOf(times.dateTime(snapshot.asOfMs))}</p>
</div>
${about.text !== "" && html`<div class="about" lang="${about.language === "zh" ? "zh-CN" : "en"}">${paragraphs(about.text)}</div>`}
${renderOpen(telling)}
${renderPlanned(telling)}
${snapshot.components.length > 0 && renderComponents(snapshot, view, place, words, times)}
${renderHistory(telling)}
</main>
<footer>
${renderZoneForm(view, place, words)}
<p><span>${words.feeds}</span> <a href="${place.url}/history.atom?lang=${view.language}">Atom</a> <a href="${place.url}/history.rss?lang=${view.language}">RSS</a> <a href="${place.url}/api/v2/summary.json?lang=${view.language}">JSON</a></p>
<p class="method">${words.method("")}</p>
</footer>
</body>
</html>
`.text;
}

/** A link that leads nowhere else than to the web, whatever was stored. */
const safeUrl = (url: string) => (/^https?:\/\//i.test(url) ? url : "#");

/** The same page otherwise: only what differs from what the reader would get anyway need not be kept. */
function linkTo(
  { language, zone, range }: View,
  { kept }: Place,
  change: { lang?: string; zone?: string; range?: RangeName },
): string {
  return `?${new URLSearchParams({ ...kept, lang: language, zone, range, ...change })}`;
}

function renderComponents(
  snapshot: PageSnapshot,
  view: View,
  place: Place,
  words: StatusWords,
  times: Times,
): Markup {
  const grid = makeGrid(view.range, view.zone, snapshot.asOfMs);
  const labels = labelSlots(grid, times, words);
  return html`<section aria-labelledby="components">
<div class="bar-head"><h2 id="components">${words.components}</h2>
<nav class="ranges" aria-label="${words.range.label}">${RANGES.map(
    (range) =>
      html`<a href="${linkTo(view, place, { range })}#components"${range === view.range && html` aria-current="true"`}>${words.range.names[range]}</a>`,
  )}</nav></div>
<ul class="components">${snapshot.components.map((component) =>
    renderComponent(component, { snapshot, view, place, words, times, grid, labels }),
  )}</ul>
${renderLegend(view.range, words)}
</section>`;
}

interface Drawing {
  readonly snapshot: PageSnapshot;
  readonly view: View;
  readonly place: Place;
  readonly words: StatusWords;
  readonly times: Times;
  readonly grid: SlotGrid;
  readonly labels: readonly string[];
}

function renderComponent(component: ComponentSnapshot, drawing: Drawing): Markup {
  const { snapshot, view, place, words, times, grid, labels } = drawing;
  const { now, levels } = component;
  const name = nameOf(component.name, view.language);
  const bars = toBars(levels, grid);
  const share = availableShare(bars);
  const hours = place.usualHours(component);
  const isNotable = isTrouble(now) || now.state === "maintenance";
  const about = nameOf(component.about, view.language);
  const facts = [
    ...(isNotable && now.sinceMs !== null ? [words.since(times.near(now.sinceMs, snapshot.asOfMs))] : []),
    ...(component.mode === "manual" ? [words.said] : []),
    ...(snapshot.showsVolumes && component.mode !== "manual"
      ? [words.calls(times.count(component.dayCalls))]
      : []),
  ];
  return html`<li data-state="${now.state}" id="c-${component.id}">
<div class="head"><h3>${local(component.name, view.language)}</h3><p class="word">${stateIcon(now.state)}<span>${words.state[now.state]}</span></p></div>
${(about !== "" || facts.length > 0) && html`<p class="facts">${about !== "" && html`<span>${local(component.about, view.language)}</span> `}${facts.length > 0 && html`<span>${facts.join(" · ")}</span>`}</p>`}
${isNotable && html`<p class="hint">${words.hint[now.state]}</p>`}
${renderBars(bars, labels, words.range.barsOf(name, words.range.names[view.range]), words)}
<p class="ends"><span>${words.range.start[view.range]}</span><span>${share === null ? words.nothingKnown : words.available(times.percent(share))}</span><span>${words.range.end[view.range]}</span></p>
${hours !== null && renderHours(hours, name, view.zone, words)}
</li>`;
}

function renderLegend(range: RangeName, words: StatusWords): Markup {
  const states = ["available", "busy", "veryBusy", "unavailable", "maintenance"] as const;
  return html`<div class="legend"><p>${words.range.bar[range]} ${words.legend}</p><ul>${states.map(
    (state, level) => html`<li><i class="l${level}"></i>${words.was[state]}</li>`,
  )}<li><i class="gap"></i>${words.legendGap}</li></ul></div>`;
}

function renderZoneForm(view: View, { kept }: Place, words: StatusWords): Markup {
  const hidden = { ...kept, lang: view.language, range: view.range };
  return html`<form method="get">${Object.entries(hidden).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )}<label for="zone">${words.zone.label}</label> <input id="zone" name="zone" list="zones" value="${view.zone}" autocomplete="off" spellcheck="false" aria-describedby="zone-hint"><datalist id="zones">${COMMON_ZONES.map(
    (zone) => html`<option value="${zone}">`,
  )}</datalist> <button>${words.zone.submit}</button> <span id="zone-hint" class="soft">${words.zone.hint}</span></form>`;
}
