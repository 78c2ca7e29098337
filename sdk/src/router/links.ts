import type { Course, Link } from "./course.ts";
import type { RunOptions } from "./types.ts";

type Choosing = Pick<RunOptions<never>, "startAt" | "exclude" | "pin">;

const isNamed = ({ target }: Link, name: string) =>
  target.id === name || target.tier === name || target.provider === name;

/**
 * The links that one request may use, by what its caller asked for.
 *
 * @throws {TypeError} when a name fits no target, or nothing is left
 */
export function chooseLinks({ links }: Course, options: Choosing): readonly Link[] {
  const isFree = options.startAt === undefined && options.exclude === undefined && options.pin === undefined;
  return isFree ? links : choose(links, options);
}

function choose(links: readonly Link[], { startAt, exclude, pin }: Choosing): readonly Link[] {
  let chosen = links;
  if (pin !== undefined) chosen = links.filter(({ target }) => target.id === pin);
  if (startAt !== undefined) {
    const at = chosen.findIndex(({ target }) => target.id === startAt || target.tier === startAt);
    chosen = at === -1 ? [] : chosen.slice(at);
  }
  if (exclude !== undefined) chosen = chosen.filter((link) => !exclude.some((name) => isNamed(link, name)));
  if (chosen.length > 0) return chosen;
  const wanted = Object.entries({ pin, startAt, exclude: exclude?.join(", ") })
    .flatMap(([key, value]) => (value === undefined ? [] : [`${key}: “${value}”`]))
    .join(", ");
  const known = links.map(({ target }) => target.id).join(", ");
  throw new TypeError(`router.run: no target is left with ${wanted}; the chain has ${known}`);
}

/** Whether a request is answered in one piece or as a stream. */
export type CallKind = "run" | "stream";

/** Names of the providers that cannot be called so; a provider that is one function answers in one piece. */
export function listUnable(
  providers: Readonly<Record<string, unknown>>,
  kind: CallKind,
): ReadonlySet<string> {
  const names = Object.keys(providers).filter((name) => {
    const provider = providers[name];
    if (typeof provider === "function") return kind !== "run";
    return typeof (provider as Partial<Record<CallKind, unknown>> | null)?.[kind] !== "function";
  });
  return new Set(names);
}

/**
 * The links whose provider can be called so: a target that cannot answer is not asked.
 *
 * @throws {TypeError} when nothing is left
 */
export function withoutUnable(
  links: readonly Link[],
  unable: ReadonlySet<string>,
  kind: CallKind,
): readonly Link[] {
  if (unable.size === 0) return links;
  const able = links.filter(({ target }) => !unable.has(target.provider));
  if (able.length > 0) return able;
  const names = [...new Set(links.map(({ target }) => target.provider))].join(", ");
  throw new TypeError(`router.${kind}: no target is left, since ${names} has no ${kind} function`);
}
