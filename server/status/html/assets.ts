import { createHash } from "node:crypto";
import type { StatusState } from "../../contract/status.ts";
import { STATUS_STATES } from "../../contract/status.ts";
import { stateIcon } from "./icons.ts";
import { SCRIPT } from "./script.ts";
import { STYLE } from "./style.ts";

export interface Asset {
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** Named by what is in it, so that browsers may keep it. */
function toAsset(name: string, ending: string, type: string, text: string): Asset {
  const hash = createHash("sha256").update(text).digest("base64url").slice(0, 10).replaceAll("_", "-");
  return { name: `${name}.${hash}.${ending}`, type, text };
}

const css = toAsset("page", "css", "text/css; charset=utf-8", STYLE);
const js = toAsset("zone", "js", "text/javascript; charset=utf-8", SCRIPT);

const COLOURS: Readonly<Record<StatusState, string>> = {
  available: "#4f8f6d",
  busy: "#d88f22",
  veryBusy: "#d8622f",
  unavailable: "#b3271d",
  maintenance: "#4f79b3",
  noData: "#8a8f96",
};

const icons = new Map(
  STATUS_STATES.map((state) => {
    const text = stateIcon(state)
      .text.replace("<svg", `<svg xmlns="http://www.w3.org/2000/svg" fill="${COLOURS[state]}"`)
      .replaceAll('class="mark"', 'fill="none" stroke="#fff" stroke-width="1.9"')
      .replaceAll(/class="(?:ring|dashes)"/g, `fill="none" stroke="${COLOURS[state]}" stroke-width="1.7"`);
    return [state, toAsset(state, "svg", "image/svg+xml", text)] as const;
  }),
);

const ALL = new Map([css, js, ...icons.values()].map((asset) => [asset.name, asset]));

export const findAsset = (name: string): Asset | null => ALL.get(name) ?? null;

const pathOf = ({ name }: Asset) => `/status/-/${name}`;

/** Where style, script and the icon of a state are. */
export const ASSET_PATHS = { css: pathOf(css), js: pathOf(js) };
export const iconPath = (state: StatusState): string => pathOf(icons.get(state) ?? css);
