import { createHash } from "node:crypto";
import { MINUTE_MS, QUARTER_MS } from "../../rollup/levels.ts";
import { BUSY, type Level, UNAVAILABLE } from "./level.ts";
import type { QuarterLevels } from "./quarter-levels.ts";

/** An episode of one of a component's targets. */
export interface TargetEpisode {
  readonly id: number;
  readonly fromMs: number;
  readonly toMs: number;
  readonly isOpen: boolean;
}

/** A time in which a component was short, as the public hears of it. */
export interface Spell {
  readonly id: string;
  readonly componentId: string;
  readonly fromMs: number;
  /** When it was last seen. */
  readonly toMs: number;
  readonly isOpen: boolean;
  /** At worst. */
  readonly level: Level;
}

/** Shorter ones are not told of: nobody can do anything about them. */
export const LEAST_SPELL_MS = 10 * MINUTE_MS;
/** Two with less than this between them are one. */
const JOINED_WITHIN_MS = 15 * MINUTE_MS;

/**
 * Joins the episodes of a component's targets to spells, newest first.
 *
 * @param levels of the same time, from which its worst is read
 */
export function toSpells(
  componentId: string,
  episodes: readonly TargetEpisode[],
  levels: QuarterLevels,
): Spell[] {
  const ordered = [...episodes].sort((a, b) => a.fromMs - b.fromMs || a.id - b.id);
  const groups: TargetEpisode[] = [];
  for (const { id, fromMs, toMs, isOpen } of ordered) {
    const last = groups.at(-1);
    if (last === undefined || fromMs - last.toMs >= JOINED_WITHIN_MS) {
      groups.push({ id, fromMs, toMs, isOpen });
      continue;
    }
    groups[groups.length - 1] = {
      id: last.id,
      fromMs: last.fromMs,
      toMs: Math.max(last.toMs, toMs),
      isOpen: last.isOpen || isOpen,
    };
  }
  return groups
    .filter(({ fromMs, toMs }) => toMs - fromMs >= LEAST_SPELL_MS)
    .map(({ id, ...span }) => ({
      id: spellId(componentId, id),
      componentId,
      ...span,
      level: worstWithin(levels, span.fromMs, span.toMs),
    }))
    .reverse();
}

/** Stable as long as the episode is, and tells nothing of how many there are. */
function spellId(componentId: string, episodeId: number): string {
  return createHash("sha256").update(`spell ${componentId} ${episodeId}`).digest("hex").slice(0, 16);
}

function worstWithin({ fromMs, levels }: QuarterLevels, startMs: number, endMs: number): Level {
  let worst: Level = BUSY;
  const first = Math.max(0, Math.floor((startMs - fromMs) / QUARTER_MS));
  const last = Math.ceil((endMs - fromMs) / QUARTER_MS);
  for (const level of levels.subarray(first, last))
    if (level > worst && level <= UNAVAILABLE) worst = level as Level;
  return worst;
}
