import { classify, createClassifier, type Rule } from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { ClassificationRule } from "../contract/classification.ts";
import type { Classify } from "./name-outcome.ts";
import { listRules } from "./queries.ts";

/** Another server's change of the rules is taken up within this time. */
const FRESH_MS = 5_000;

/** The classifier of each project, with its own rules asked first. */
export interface Classifiers {
  /** Waits for the database at the first call alone; a stale one is handed out and made anew beside. */
  of(projectId: number): Promise<Classify>;
  /** To be called when the project's rules have changed. */
  forget(projectId: number): void;
}

interface Known {
  readonly rules: string;
  readonly classify: Classify;
  readonly readAtMs: number;
}

export function createClassifiers(sql: Sql, now: () => number): Classifiers {
  const known = new Map<number, Known>();
  const reading = new Map<number, Promise<Known>>();

  function read(projectId: number): Promise<Known> {
    const under = reading.get(projectId);
    if (under !== undefined) return under;
    const started = load(projectId).finally(() => {
      if (reading.get(projectId) === started) reading.delete(projectId);
    });
    reading.set(projectId, started);
    return started;
  }

  async function load(projectId: number): Promise<Known> {
    const rules = await listRules(sql, projectId);
    const text = JSON.stringify(rules);
    const old = known.get(projectId);
    const loaded: Known = {
      rules: text,
      classify: old?.rules === text ? old.classify : rules.length === 0 ? classify : toClassifier(rules),
      readAtMs: now(),
    };
    known.set(projectId, loaded);
    return loaded;
  }

  return {
    async of(projectId) {
      const current = known.get(projectId);
      if (current === undefined) return (await read(projectId)).classify;
      // Without a database the attempts cannot be stored anyway, and that is said then.
      if (now() - current.readAtMs >= FRESH_MS) read(projectId).catch(() => {});
      return current.classify;
    },
    forget(projectId) {
      known.delete(projectId);
      reading.delete(projectId);
    },
  };
}

/** The rules as they are stored have no key without a value, which the SDK's type insists on. */
export function toClassifier(rules: readonly ClassificationRule[]): Classify {
  return createClassifier(rules as readonly Rule[]);
}
