/**
 * The look of status pages. Colours, type and space are those of the product's own pages (a test holds them together);
 * dark where the reader's system is. Levels are told by height, place, icon and word as well as by colour.
 */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #fcfbf9;
  --sheet: #ffffff;
  --shade: #f4f1ec;
  --rule: #e3ddd4;
  --rule-strong: #b9b1a6;
  --edge: #857d73;
  --ink: #1d2126;
  --ink-soft: #565c64;
  --accent: #23446f;
  --accent-wash: #e8eef6;
  --warn-wash: #fbf2dc;
  --focus: #1556c0;
  --hatch: #e4ded5;
  --level-0: #6f9f86;
  --level-1: #e8a13c;
  --level-2: #d8622f;
  --level-3: #8c1f17;
  --level-4: #5f86b8;
  --word-0: #2c6e49;
  --word-1: #8a5a00;
  --word-2: #b43818;
  --word-3: #8c1f17;
  --word-4: #23446f;
  --mark: #ffffff;
  --font-text:
    -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", "Noto Sans CJK SC", "PingFang SC",
    "Microsoft YaHei", sans-serif;
  --font-voice:
    "Iowan Old Style", "Palatino Linotype", Palatino, "Source Serif 4", "Noto Serif", "Noto Serif CJK SC",
    "Songti SC", Georgia, serif;
}

@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161a;
    --sheet: #191c21;
    --shade: #1f2329;
    --rule: #2c3138;
    --rule-strong: #4a515a;
    --edge: #7d858f;
    --ink: #eceae6;
    --ink-soft: #a3a8b0;
    --accent: #9cc0ef;
    --accent-wash: #1f2b3b;
    --warn-wash: #2d2616;
    --focus: #8db8ff;
    --hatch: #262b31;
    --level-0: #4f8268;
    --level-1: #d99a3a;
    --level-2: #ee7a45;
    --level-3: #ff9d94;
    --level-4: #7ba3d6;
    --word-0: #7cc79b;
    --word-1: #e2b45a;
    --word-2: #f59468;
    --word-3: #ff9d94;
    --word-4: #9cc0ef;
    --mark: #14161a;
  }
}

*, *::before, *::after { box-sizing: border-box; }

html {
  background: var(--paper);
  color: var(--ink);
  font: 0.9375rem / 1.55 var(--font-text);
  font-variant-numeric: tabular-nums;
  -webkit-text-size-adjust: 100%;
  text-size-adjust: 100%;
}

body {
  max-width: 54rem;
  margin: 0 auto;
  padding: 1.75rem clamp(1rem, 4vw, 2rem) 4rem;
}

h1, h2, h3, h4, p, ol, ul, dl { margin: 0; padding: 0; }
ol, ul { list-style: none; }
h1, h2, h3, h4 { font-weight: 600; text-wrap: balance; }
p, h1, h2, h3, h4, td, span { overflow-wrap: anywhere; }
a { color: var(--accent); text-underline-offset: 0.2em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 2px; }
button, input { font: inherit; color: inherit; }

.hidden {
  position: absolute;
  width: 1px;
  height: 1px;
  margin: -1px;
  overflow: hidden;
  clip-path: inset(50%);
  white-space: nowrap;
}

.soft, .facts, .hint, .ends, .legend, footer, time { color: var(--ink-soft); }
.facts, .hint, .ends, .legend, footer, time, nav { font-size: 0.8125rem; }

.preview {
  margin-bottom: 1.5rem;
  padding: 0.6rem 1rem;
  background: var(--warn-wash);
  border: 1px solid var(--rule);
  border-radius: 3px;
}

header {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.5rem;
  align-items: baseline;
  justify-content: space-between;
}

.brand { font-weight: 600; }
.brand a { color: inherit; text-decoration: none; }
.brand a:hover { text-decoration: underline; }

nav { display: flex; gap: 0.25rem; }
nav a {
  display: inline-flex;
  align-items: center;
  min-height: 2rem;
  padding: 0 0.6rem;
  color: var(--ink-soft);
  text-decoration: none;
  border-radius: 3px;
}
nav a:hover { color: var(--ink); background: var(--shade); }
nav a[aria-current] { color: var(--ink); font-weight: 600; background: var(--shade); }

.headline { padding: clamp(2.25rem, 7vw, 4.5rem) 0 clamp(1.75rem, 5vw, 3rem); }
h1 {
  display: flex;
  gap: 0.55em;
  align-items: baseline;
  font: 500 clamp(1.625rem, 1.1rem + 2.2vw, 2.75rem) / 1.18 var(--font-voice);
  letter-spacing: -0.01em;
}
h1 .icon { flex: none; width: 0.68em; height: 0.68em; }
.headline p { margin-top: 0.75rem; color: var(--ink-soft); }

.about { max-width: 40rem; margin-bottom: 2.5rem; }
.about p + p, .updates p + p { margin-top: 0.6em; }

section { margin-top: clamp(2rem, 5vw, 3.25rem); }
h2 { font-size: 1.125rem; }
h2 small { margin-left: 0.4em; font-size: 0.8125rem; font-weight: 400; color: var(--ink-soft); }

.bar-head {
  display: flex;
  flex-wrap: wrap;
  gap: 0.5rem 1.5rem;
  align-items: baseline;
  justify-content: space-between;
}

.components { margin-top: 0.75rem; border-bottom: 1px solid var(--rule); }
.components > li { padding: 1.35rem 0 1.25rem; border-top: 1px solid var(--rule); }

.head { display: flex; gap: 1rem; align-items: baseline; justify-content: space-between; }
.head h3 { font-size: 1rem; min-width: 0; }
.word { display: inline-flex; flex: none; gap: 0.45rem; align-items: center; font-weight: 600; }
.icon { width: 0.95em; height: 0.95em; fill: currentcolor; }
.icon .mark { fill: none; stroke: var(--mark); stroke-width: 1.9; stroke-linecap: round; stroke-linejoin: round; }
.icon .ring, .icon .dashes { fill: none; stroke: currentcolor; stroke-width: 1.7; }
.icon .dashes { stroke-dasharray: 2.6 2.3; }
.hint { margin-top: 0.15rem; }
.facts span + span::before { content: "· "; }

[data-state] > .icon, [data-state] .word, h1 .icon { color: var(--ink-soft); }
[data-state="available"] .word, [data-state="available"] .icon { color: var(--word-0); }
[data-state="busy"] .word, [data-state="busy"] .icon { color: var(--word-1); }
[data-state="veryBusy"] .word, [data-state="veryBusy"] .icon { color: var(--word-2); }
[data-state="unavailable"] .word, [data-state="unavailable"] .icon { color: var(--word-3); }
[data-state="maintenance"] .word, [data-state="maintenance"] .icon { color: var(--word-4); }
[data-state="noData"] .word, [data-state="noData"] .icon { color: var(--ink-soft); }

.l0 { fill: var(--level-0); background: var(--level-0); }
.l1 { fill: var(--level-1); background: var(--level-1); }
.l2 { fill: var(--level-2); background: var(--level-2); }
.l3 { fill: var(--level-3); background: var(--level-3); }
.l4 { fill: var(--level-4); background: var(--level-4); }
.gap { background: repeating-linear-gradient(135deg, var(--hatch) 0 2px, transparent 2px 5px); }

.bars { display: flex; gap: clamp(1px, 0.25vw, 3px); height: 2.25rem; margin-top: 0.85rem; }
.bars .gap { align-self: end; height: 0.6rem; }
.bars li { position: relative; flex: 1 1 0; min-width: 1px; overflow: hidden; border-radius: 1.5px; }
.bars li:hover { opacity: 0.72; }
.bars svg { display: block; width: 100%; height: 100%; }
.ends { display: flex; gap: 1rem; justify-content: space-between; margin-top: 0.35rem; }
.ends span:nth-child(2) { text-align: center; color: var(--ink); }

.hours { margin-top: 0.6rem; font-size: 0.8125rem; }
.hours summary { display: inline-block; padding: 0.2rem 0; color: var(--ink-soft); cursor: pointer; }
.hours summary:hover { color: var(--ink); }
.hours summary::before { content: "›"; display: inline-block; width: 1em; transition: transform 120ms; }
.hours[open] summary::before { transform: rotate(90deg); }
.hours summary::-webkit-details-marker { display: none; }
.hours table { width: 100%; margin-top: 0.5rem; border-collapse: separate; border-spacing: 1px; table-layout: fixed; }
.hours thead th { position: relative; height: 1.3em; padding: 0; font-weight: 400; color: var(--ink-soft); white-space: nowrap; overflow: visible; }
.hours thead th span[aria-hidden] { position: absolute; top: 0; left: 0; }
.hours th:first-child { width: 5.5rem; padding: 0 0.5rem 0 0; font-weight: 400; text-align: left; color: var(--ink-soft); overflow-wrap: normal; }
.hours td { position: relative; height: 1.35rem; padding: 0; border-radius: 1.5px; }
.hours td.l0 { background: var(--rule); }

.legend { margin-top: 0.9rem; }
.legend ul { display: flex; flex-wrap: wrap; gap: 0.25rem 1.1rem; margin-top: 0.4rem; }
.legend li { display: inline-flex; gap: 0.45rem; align-items: center; }
.legend i { width: 0.7rem; height: 0.9rem; border-radius: 1.5px; }
.legend i.gap { border: 1px solid var(--rule-strong); }

.note {
  margin-top: 0.9rem;
  padding: 1.1rem 1.25rem 1.2rem;
  background: var(--sheet);
  border: 1px solid var(--rule);
  border-left: 3px solid var(--edge);
  border-radius: 3px;
}
.note[data-impact="minor"] { border-left-color: var(--level-1); }
.note[data-impact="major"] { border-left-color: var(--level-2); }
.note[data-impact="critical"] { border-left-color: var(--level-3); }
.note[data-kind="maintenance"] { border-left-color: var(--level-4); }
.note h3, .note h4 { font-size: 1rem; }
.note > .soft { font-size: 0.8125rem; }
.updates { margin-top: 0.9rem; }
.updates li { max-width: 40rem; }
.updates li + li { margin-top: 0.9rem; }
.step time { margin-left: 0.35em; }

.days { margin-top: 0.75rem; border-bottom: 1px solid var(--rule); }
.days > li { display: grid; grid-template-columns: 9rem minmax(0, 1fr); gap: 0.25rem 1.5rem; padding: 1rem 0; border-top: 1px solid var(--rule); }
.days h3 { font-size: 0.875rem; }
.days .note { margin: 0 0 0.6rem; }
.spell { display: flex; flex-wrap: wrap; gap: 0.1rem 0.55rem; align-items: center; padding: 0.12rem 0; }
.spell b { font-weight: 600; }
.days + p, section > .soft { margin-top: 0.9rem; font-size: 0.8125rem; }

footer { display: grid; gap: 1rem; margin-top: clamp(2.5rem, 7vw, 4.5rem); padding-top: 1.5rem; border-top: 1px solid var(--rule); }
footer p { display: flex; flex-wrap: wrap; gap: 0.25rem 0.9rem; }
footer .method { max-width: 42rem; }
form { display: flex; flex-wrap: wrap; gap: 0.5rem 0.6rem; align-items: center; }
form input { min-height: 2rem; width: min(15rem, 100%); padding: 0 0.6rem; background: var(--sheet); border: 1px solid var(--edge); border-radius: 3px; color: var(--ink); }
form button { min-height: 2rem; padding: 0 0.9rem; background: var(--shade); border: 1px solid var(--edge); border-radius: 3px; color: var(--ink); cursor: pointer; }
form button:hover { background: var(--accent-wash); }

@media (max-width: 40rem) {
  .bars { height: 2rem; }
  .days > li { grid-template-columns: minmax(0, 1fr); }
  .head { flex-wrap: wrap; gap: 0.1rem 1rem; }
  nav a { min-height: 2.75rem; }
  form input, form button { min-height: 2.75rem; }
  footer a, .hours summary { padding: 0.6rem 0; }
  .hours th:first-child { width: 4rem; }
}

@media (prefers-reduced-motion: reduce) {
  .hours summary::before { transition: none; }
}

@media (forced-colors: active) {
  .bars li, .hours td, .legend i, .bars rect { forced-color-adjust: none; }
}

@media print {
  .ranges, header nav, footer form { display: none; }
}
`.trimStart();
