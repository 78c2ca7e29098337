import type { CountKind } from "../../../server/contract/share.ts";
import { isTimeZone } from "../time/zone.ts";
import { COMPARES, type Compare, type RangeChoice, readRange, writeRange } from "./range.ts";

/** One model at one endpoint; without an endpoint the model wherever it runs. */
export interface Target {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string | null;
}

/** What one looks at. All of it is in the URL, so that a link shows the same. */
export interface Scope {
  /** Slug; `null` is the project that the server takes when none is named. */
  readonly project: string | null;
  /** `null`: each panel takes its own usual range. */
  readonly range: RangeChoice | null;
  /** IANA zone; `null` is the project's own. */
  readonly zone: string | null;
  readonly compare: Compare | null;
  readonly count: CountKind;
  readonly target: Target | null;
}

export function readScope(params: URLSearchParams): Scope {
  const zone = params.get("zone");
  const provider = params.get("provider");
  const model = params.get("model");
  return {
    project: params.get("project"),
    range: readRange(params),
    zone: zone !== null && isTimeZone(zone) ? zone : null,
    compare: COMPARES.find((compare) => compare === params.get("compare")) ?? null,
    count: params.get("count") === "requests" ? "requests" : "attempts",
    target:
      provider === null || model === null ? null : { provider, model, endpoint: params.get("endpoint") },
  };
}

export type ScopeChange = Partial<Scope>;

/** The query string after a change; what the change does not name stays. */
export function changeSearch(search: string, change: ScopeChange): string {
  const params = new URLSearchParams(search);
  const set = (name: string, value: string | null) =>
    value === null ? params.delete(name) : params.set(name, value);
  if (change.project !== undefined) set("project", change.project);
  if (change.range !== undefined) {
    for (const [name, value] of Object.entries(writeRange(change.range))) set(name, value);
  }
  if (change.zone !== undefined) set("zone", change.zone);
  if (change.compare !== undefined) set("compare", change.compare);
  if (change.count !== undefined) set("count", change.count === "attempts" ? null : change.count);
  if (change.target !== undefined) {
    set("provider", change.target?.provider ?? null);
    set("model", change.target?.model ?? null);
    set("endpoint", change.target?.endpoint ?? null);
  }
  params.sort();
  return params.toString();
}

/** What every page has in common; the rest belongs to the page that is left. */
const GLOBAL = ["project", "range", "from", "to", "zone", "compare", "lang", "theme"];

/** What belongs to one page alone, by the names of its parameters. */
export type PageParams = Readonly<Record<string, string | number>>;

/** The address of a page, in the scope of this one. */
export function linkTo(search: string, path: string, change: ScopeChange = {}, own: PageParams = {}): string {
  const kept = new URLSearchParams(
    [...new URLSearchParams(search)].filter(([name]) => GLOBAL.includes(name)),
  ).toString();
  const params = new URLSearchParams(changeSearch(kept, change));
  for (const [name, value] of Object.entries(own)) params.set(name, String(value));
  const query = params.toString();
  return query === "" ? path : `${path}?${query}`;
}
