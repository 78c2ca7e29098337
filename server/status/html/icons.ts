import type { StatusState } from "../../contract/status.ts";
import { html, Markup } from "./markup.ts";

/** A shape of its own for each state, so that colour is never all that tells them apart. */
const SHAPES: Readonly<Record<StatusState, string>> = {
  available: '<circle cx="8" cy="8" r="7"/><path class="mark" d="m4.8 8.3 2.2 2.2 4.2-4.6"/>',
  busy: '<circle class="ring" cx="8" cy="8" r="6.2"/><path d="M8 1.8a6.2 6.2 0 0 1 0 12.4z"/>',
  veryBusy: '<path d="M8 1 15.4 14H.6z"/><path class="mark" d="M8 5.6v4M8 11.4v.8"/>',
  unavailable:
    '<rect x="1.2" y="1.2" width="13.6" height="13.6" rx="2"/><path class="mark" d="m5 5 6 6m0-6-6 6"/>',
  maintenance: '<path d="M8 .8 15.2 8 8 15.2.8 8z"/><path class="mark" d="M5.4 8h5.2"/>',
  noData: '<circle class="dashes" cx="8" cy="8" r="6.2"/>',
};

export function stateIcon(state: StatusState): Markup {
  return html`<svg class="icon" viewBox="0 0 16 16" aria-hidden="true">${new Markup(SHAPES[state])}</svg>`;
}
