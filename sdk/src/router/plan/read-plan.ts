import type {
  PlanChain,
  PlanDocument,
  PlanProblem,
  PlanTarget,
  PlanWindow,
  Weekday,
} from "./plan-document.ts";
import { parseMinute } from "./window.ts";
import { isTimeZone, WEEKDAYS } from "./zone-clock.ts";

type Json = { readonly [key: string]: unknown };
type Mutable<T> = { -readonly [K in keyof T]: T[K] };

const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string =>
  typeof value === "string" && value !== "" && value.length <= 200;
const isAtLeast = (least: number, value: unknown): value is number =>
  typeof value === "number" && Number.isFinite(value) && value >= least;
const isCount = (value: unknown): value is number => isAtLeast(1, value) && Number.isInteger(value);

/**
 * Reads a plan as a server published it. What cannot be read is left out and told; fields that are unknown are none of
 * our business. Only a plan without a version, zone or chains is refused as a whole.
 *
 * @param tell hears of each problem
 */
export function readPlan(value: unknown, tell: (problem: PlanProblem) => void): PlanDocument | null {
  const refuse = (pointer: string, detail: string) => {
    tell({
      pointer,
      detail: `${detail}; the plan is refused, and what was in force goes on`,
      isRefused: true,
    });
    return null;
  };
  if (!isObject(value)) return refuse("", "a plan must be an object");
  const { version, timeZone, chains } = value;
  if (typeof version !== "number" || !Number.isInteger(version) || version < 0)
    return refuse("/version", "version must be a whole number");
  if (!isText(timeZone) || !isTimeZone(timeZone))
    return refuse(
      "/timeZone",
      `timeZone must be an IANA zone that this runtime knows, but is ${quote(timeZone)}`,
    );
  if (!isObject(chains)) return refuse("/chains", "chains must be an object");
  const read = Object.entries(chains).flatMap(([name, chain]): [string, PlanChain][] => {
    const reader = new ChainReader(`/chains/${escapeStep(name)}`, tell);
    if (isObject(chain)) return [[name, reader.read(chain)]];
    reader.leaveOut("", "a chain must be an object");
    return [];
  });
  // Unlike assignment, this makes a field even of a name like “__proto__”.
  return { version, timeZone, chains: Object.fromEntries(read) };
}

class ChainReader {
  readonly #pointer: string;
  readonly #tell: (problem: PlanProblem) => void;

  constructor(pointer: string, tell: (problem: PlanProblem) => void) {
    this.#pointer = pointer;
    this.#tell = tell;
  }

  leaveOut(path: string, detail: string): null {
    this.#tell({ pointer: this.#pointer + path, detail: `${detail}; it is left out`, isRefused: false });
    return null;
  }

  read(chain: Json): PlanChain {
    const read: Mutable<PlanChain> = {};
    const targets = this.#targets(chain["targets"]);
    if (targets !== null) read.targets = targets;
    if (isText(chain["floor"])) read.floor = chain["floor"];
    else if (chain["floor"] !== undefined) this.leaveOut("/floor", "floor must be the id of a target");
    const retry = this.#retry(chain["retry"]);
    if (retry !== null) read.retry = retry;
    const schedule = this.#list("/schedule", chain["schedule"], (entry, path) => this.#entry(entry, path));
    if (schedule !== null) read.schedule = schedule;
    const avoid = this.#list("/avoid", chain["avoid"], (entry, path) => this.#avoided(entry, path));
    if (avoid !== null) read.avoid = avoid;
    return read;
  }

  #list<T>(path: string, value: unknown, readOne: (entry: Json, path: string) => T | null): T[] | null {
    if (value === undefined) return null;
    if (!Array.isArray(value)) return this.leaveOut(path, "it must be a list");
    return value.flatMap((entry, at) => {
      const place = `${path}/${at}`;
      const read = isObject(entry) ? readOne(entry, place) : this.leaveOut(place, "it must be an object");
      return read === null ? [] : [read];
    });
  }

  #targets(value: unknown): PlanTarget[] | null {
    const ids = new Set<string>();
    const targets = this.#list("/targets", value, (entry, path) => {
      const { id, provider, model } = entry;
      if (!isText(id) || !isText(provider) || !isText(model))
        return this.leaveOut(path, "a target needs id, provider and model as texts");
      if (ids.has(id)) return this.leaveOut(path, `the id ${quote(id)} stands there twice`);
      ids.add(id);
      const target: Mutable<PlanTarget> = { id, provider, model };
      for (const key of ["tier", "endpoint", "account"] as const) {
        const text = entry[key];
        if (isText(text)) target[key] = text;
        else if (text !== undefined) this.leaveOut(`${path}/${key}`, `${key} must be a text`);
      }
      const { maxConcurrency, requestsPerMinute } = entry;
      if (isCount(maxConcurrency)) target.maxConcurrency = maxConcurrency;
      else if (maxConcurrency !== undefined)
        this.leaveOut(`${path}/maxConcurrency`, "maxConcurrency must be a whole number of 1 or more");
      if (isAtLeast(1, requestsPerMinute)) target.requestsPerMinute = requestsPerMinute;
      else if (requestsPerMinute !== undefined)
        this.leaveOut(`${path}/requestsPerMinute`, "requestsPerMinute must be a number of 1 or more");
      const { quality } = entry;
      if (typeof quality === "number" && quality >= 0 && quality <= 1) target.quality = quality;
      else if (quality !== undefined) this.leaveOut(`${path}/quality`, "quality must be from 0 to 1");
      return target;
    });
    if (targets?.length === 0) return this.leaveOut("/targets", "there is no target in it that can be used");
    return targets;
  }

  #retry(value: unknown): NonNullable<PlanChain["retry"]> | null {
    if (value === undefined) return null;
    if (!isObject(value)) return this.leaveOut("/retry", "retry must be an object");
    const retry: Mutable<NonNullable<PlanChain["retry"]>> = {};
    const { maxAttempts } = value;
    if (isCount(maxAttempts)) retry.maxAttempts = maxAttempts;
    else if (maxAttempts !== undefined)
      this.leaveOut("/retry/maxAttempts", "maxAttempts must be a whole number of 1 or more");
    for (const key of ["baseMs", "capMs", "totalWaitMs"] as const) {
      const number = value[key];
      if (isAtLeast(0, number)) retry[key] = number;
      else if (number !== undefined) this.leaveOut(`/retry/${key}`, `${key} must be a number of 0 or more`);
    }
    return retry;
  }

  #entry(entry: Json, path: string): (PlanWindow & { order: readonly string[] }) | null {
    const window = this.#window(entry, path);
    if (window === null) return null;
    const { order } = entry;
    if (!Array.isArray(order) || order.length === 0 || !order.every(isText))
      return this.leaveOut(`${path}/order`, "order must be a list of target ids");
    return { ...window, order };
  }

  #avoided(entry: Json, path: string): { target: string; windows: PlanWindow[] } | null {
    if (!isText(entry["target"])) return this.leaveOut(`${path}/target`, "target must be a target id");
    if (!Array.isArray(entry["windows"]) || entry["windows"].length === 0)
      return this.leaveOut(`${path}/windows`, "windows must be a list of { days, from, to }");
    const windows = this.#list(`${path}/windows`, entry["windows"], (one, place) => this.#window(one, place));
    return windows === null ? null : { target: entry["target"], windows };
  }

  #window({ days, from, to }: Json, path: string): PlanWindow | null {
    for (const [key, value] of [
      ["from", from],
      ["to", to],
    ] as const) {
      if (typeof value !== "string" || parseMinute(value) === null || (key === "from" && value === "24:00"))
        return this.leaveOut(`${path}/${key}`, `${key} must be HH:MM, but is ${quote(value)}`);
    }
    const window = { from: from as string, to: to as string };
    if (days === undefined) return window;
    const isDay = (day: unknown): day is Weekday => WEEKDAYS.some((weekday) => weekday === day);
    if (!Array.isArray(days) || days.length === 0 || !days.every(isDay))
      return this.leaveOut(`${path}/days`, "days must be a list of mon, tue, wed, thu, fri, sat, sun");
    return { days, ...window };
  }
}

const quote = (value: unknown) => (typeof value === "string" ? `“${value.slice(0, 100)}”` : typeof value);
const escapeStep = (name: string) => name.replaceAll("~", "~0").replaceAll("/", "~1");
