import type { Sql } from "../../db/connect.ts";
import type { Attempt, SeriesKey } from "./attempt.ts";
import { countSeries, insertSeries, listSeries, upsertServedModels } from "./queries.ts";
import type { AttemptRow } from "./row.ts";

/** More distinct series than this in one project mean that something unique was sent as a label. */
export const MAX_SERIES_PER_PROJECT = 10_000;

export const TOO_MANY_SERIES = `would make more than ${MAX_SERIES_PER_PROJECT} different combinations of source, provider, model, endpoint, account and chain: send something unique (an id, a time) in none of them`;

/** Turns the texts of attempts into the ids under which they are stored, and remembers them. */
export interface Dictionary {
  /** Rows in the order of the attempts; `null` where the project already has too many series. */
  toRows(projectId: number, attempts: readonly Attempt[]): Promise<(AttemptRow | null)[]>;
  /** Forgets what is known of a project that was removed. */
  forget(projectId: number): void;
}

interface ProjectWords {
  readonly seriesIds: SeriesIds;
  readonly servedModelIds: Map<string, number>;
}

export function createDictionary(sql: Sql): Dictionary {
  const projects = new Map<number, ProjectWords>();

  function wordsOf(projectId: number): ProjectWords {
    let words = projects.get(projectId);
    if (words === undefined) {
      words = { seriesIds: new SeriesIds(), servedModelIds: new Map() };
      projects.set(projectId, words);
    }
    return words;
  }

  return {
    async toRows(projectId, attempts) {
      const words = wordsOf(projectId);
      await learnSeries(sql, projectId, words.seriesIds, attempts);
      await learnServedModels(sql, projectId, words.servedModelIds, attempts);
      return attempts.map((attempt) => {
        const seriesId = words.seriesIds.get(attempt.series);
        if (seriesId === undefined) return null;
        const { servedModel } = attempt;
        const servedModelId = servedModel === null ? null : (words.servedModelIds.get(servedModel) ?? null);
        return { projectId, seriesId, servedModelId, attempt };
      });
    },
    forget(projectId) {
      projects.delete(projectId);
    },
  };
}

/** Known by what a series says, and quicker by the object that said it. */
class SeriesIds {
  readonly #byText = new Map<string, number>();
  readonly #byKey = new WeakMap<SeriesKey, number>();

  get(key: SeriesKey): number | undefined {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const id = this.#byText.get(seriesText(key));
    if (id !== undefined) this.#byKey.set(key, id);
    return id;
  }

  learn(key: SeriesKey, id: number): void {
    this.#byText.set(seriesText(key), id);
  }
}

/** One text per series; labels hold no control characters, so the separator is unambiguous. */
function seriesText(key: SeriesKey): string {
  return `${key.source}\n${key.provider}\n${key.model}\n${key.endpoint}\n${key.account}\n${key.chain}`;
}

async function learnSeries(
  sql: Sql,
  projectId: number,
  known: SeriesIds,
  attempts: readonly Attempt[],
): Promise<void> {
  const unknown = new Map<string, SeriesKey>();
  for (const { series } of attempts) {
    if (known.get(series) === undefined) unknown.set(seriesText(series), series);
  }
  if (unknown.size === 0) return;
  const learn = async () => {
    for (const row of await listSeries(sql, projectId, [...unknown.values()])) {
      known.learn(row, row.id);
      unknown.delete(seriesText(row));
    }
  };
  await learn();
  if (unknown.size === 0) return;
  const room = MAX_SERIES_PER_PROJECT - (await countSeries(sql, projectId));
  if (room <= 0) return;
  await insertSeries(sql, projectId, [...unknown.values()].slice(0, room));
  await learn();
}

async function learnServedModels(
  sql: Sql,
  projectId: number,
  known: Map<string, number>,
  attempts: readonly Attempt[],
): Promise<void> {
  const unknown = new Set<string>();
  for (const { servedModel } of attempts) {
    if (servedModel !== null && !known.has(servedModel)) unknown.add(servedModel);
  }
  if (unknown.size === 0 || known.size + unknown.size > MAX_SERIES_PER_PROJECT) return;
  for (const { id, name } of await upsertServedModels(sql, projectId, [...unknown])) known.set(name, id);
}
