import {
  type Classification,
  classify,
  classifyEvidence,
  createClassifier,
  createEvidenceClassifier,
  type Evidence,
  type Rule,
} from "@busyhour/sdk";
import type { Sql } from "../../db/connect.ts";
import type { ClassificationRule } from "../contract/classification.ts";
import { createFailureNamer, type NameFailure } from "./failure-namer.ts";
import { listRules } from "./queries.ts";

/** Another server's change of the rules is taken up within this time. */
const FRESH_MS = 5_000;

/** Names failures as they arrive, and what was kept of them. */
export interface Classifier {
  readonly nameFailure: NameFailure;
  readonly classifyEvidence: (evidence: Evidence, provider: string) => Classification;
}

/** The classifier of each project, with its own rules asked first. */
export interface Classifiers {
  /** Waits for the database at the first call alone; a stale one is handed out and made anew beside. */
  of(projectId: number): Promise<Classifier>;
  /** To be called when the project's rules have changed. */
  forget(projectId: number): void;
}

interface Known {
  readonly rules: string;
  readonly classifier: Classifier;
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
      classifier: old?.rules === text ? old.classifier : toClassifier(rules),
      readAtMs: now(),
    };
    known.set(projectId, loaded);
    return loaded;
  }

  return {
    async of(projectId) {
      const current = known.get(projectId);
      if (current === undefined) return (await read(projectId)).classifier;
      // Without a database the attempts cannot be stored anyway, and that is said then.
      if (now() - current.readAtMs >= FRESH_MS) read(projectId).catch(() => {});
      return current.classifier;
    },
    forget(projectId) {
      known.delete(projectId);
      reading.delete(projectId);
    },
  };
}

const STANDARD: Classifier = { nameFailure: createFailureNamer(classify), classifyEvidence };

/** A classifier that asks these rules first. */
export function toClassifier(rules: readonly ClassificationRule[]): Classifier {
  if (rules.length === 0) return STANDARD;
  // As they are stored they have no key without a value, which the SDK's type insists on.
  const own = rules as readonly Rule[];
  return {
    nameFailure: createFailureNamer(createClassifier(own)),
    classifyEvidence: createEvidenceClassifier(own),
  };
}
