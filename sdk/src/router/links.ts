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
