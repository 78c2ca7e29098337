import type {
  ComponentMode,
  ComponentTarget,
  Impact,
  LocalText,
  NoteState,
  StatusPageAnswer,
  StatusWord,
} from "../../../../../server/contract/status.ts";

// Told here a second time, as the pages take nothing but types from the contract.
export const MODES = ["auto", "manual", "both"] as const satisfies readonly ComponentMode[];
export const WORDS = [
  "available",
  "busy",
  "veryBusy",
  "unavailable",
  "maintenance",
] as const satisfies readonly StatusWord[];
export const IMPACTS = ["none", "minor", "major", "critical"] as const satisfies readonly Impact[];
export const INCIDENT_STATES = [
  "investigating",
  "identified",
  "monitoring",
  "resolved",
] as const satisfies readonly NoteState[];
export const MAINTENANCE_STATES = [
  "scheduled",
  "in_progress",
  "verifying",
  "completed",
] as const satisfies readonly NoteState[];

/** A component as it is being edited. `key` tells rows apart while they have no id and change their names. */
export interface DraftComponent {
  readonly key: string;
  /** `null`: a new one. */
  readonly id: string | null;
  readonly name: LocalText;
  readonly about: LocalText;
  readonly mode: ComponentMode;
  readonly targets: readonly ComponentTarget[];
}

export interface Draft {
  readonly slug: string;
  readonly isPublic: boolean;
  readonly isIndexed: boolean;
  readonly showsVolumes: boolean;
  readonly name: LocalText;
  readonly about: LocalText;
  readonly homeUrl: string;
  readonly components: readonly DraftComponent[];
}

export function toDraft({ page, components }: StatusPageAnswer): Draft {
  const { slug, isPublic, isIndexed, showsVolumes, name, about, homeUrl } = page;
  return {
    slug,
    isPublic,
    isIndexed,
    showsVolumes,
    name,
    about,
    homeUrl: homeUrl ?? "",
    components: components.map(({ id, name: own, about: words, mode, targets }) => ({
      key: id,
      id,
      name: own,
      about: words,
      mode,
      targets,
    })),
  };
}

/** As the server takes it. */
export function toBody({ homeUrl, components, ...page }: Draft) {
  return {
    ...page,
    homeUrl: homeUrl.trim() === "" ? null : homeUrl.trim(),
    components: components.map(({ key: _, id, ...parts }) => ({ ...(id === null ? {} : { id }), ...parts })),
  };
}

const EMPTY: LocalText = { en: "", zh: "" };

export function newComponent(key: string, parts: Partial<DraftComponent> = {}): DraftComponent {
  return { key, id: null, name: EMPTY, about: EMPTY, mode: "auto", targets: [], ...parts };
}

/** A component for each suggestion, after those that are there. */
export function addSuggestions(
  draft: Draft,
  suggestions: StatusPageAnswer["suggestions"],
  nextKey: () => string,
): Draft {
  const isTaken = (target: ComponentTarget) =>
    draft.components.some(({ targets }) => targets.some((own) => isSame(own, target)));
  const fresh = suggestions
    .filter(({ targets }) => !targets.every(isTaken))
    .map(({ name, targets }) => newComponent(nextKey(), { name: { en: name, zh: "" }, targets }));
  return { ...draft, components: [...draft.components, ...fresh] };
}

export const isSame = (a: ComponentTarget, b: ComponentTarget): boolean =>
  a.provider === b.provider && a.model === b.model && a.endpoint === b.endpoint;

export const nameOf = (name: LocalText, fallback: string): string => name.en || name.zh || fallback;

/** `gpt-5 · openai`, with the endpoint where one is meant. */
export const describeTarget = ({ model, provider, endpoint }: ComponentTarget): string =>
  [model, provider, ...(endpoint === null || endpoint === "" ? [] : [endpoint])].join(" · ");

/** Targets that one may choose: each model, and each of its endpoints where it has several. */
export function listChoices(
  models: readonly { readonly provider: string; readonly model: string; readonly endpoint: string }[],
): ComponentTarget[] {
  const endpoints = new Map<string, { provider: string; model: string; endpoints: string[] }>();
  for (const { provider, model, endpoint } of models) {
    const key = `${provider}\n${model}`;
    const known = endpoints.get(key) ?? { provider, model, endpoints: [] };
    known.endpoints.push(endpoint);
    endpoints.set(key, known);
  }
  return [...endpoints.values()].flatMap(({ provider, model, endpoints: all }) => [
    { provider, model, endpoint: null },
    ...(all.length > 1 ? all.map((endpoint) => ({ provider, model, endpoint })) : []),
  ]);
}

/** The list with one of its items at another place. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const moved = [...items];
  moved.splice(to, 0, ...moved.splice(from, 1));
  return moved;
}
