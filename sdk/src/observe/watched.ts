import type { BodyWatch } from "./body-watch.ts";

/** Who hears of a response, a stream or a reader. */
export interface Watched {
  /** Hears chunks of whatever kind the stream carries. */
  readonly watch: BodyWatch<never>;
  /** While the runtime itself handles the body on behalf of a call that is heard already. */
  isQuiet: boolean;
}

/** A base class whose constructor gives back the object that it is given, so that its heirs' fields go there. */
const Given = class {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: see above
    return object;
  }
} as new (
  object: object,
) => object;

/**
 * A private field on objects of others: nobody sees it, it costs no lookup, and it goes when they go. A `WeakMap` does
 * the same at many times the price, most of it in garbage collection.
 */
class Mark extends Given {
  #watched: Watched;

  constructor(object: object, watched: Watched) {
    super(object);
    this.#watched = watched;
  }

  static find(object: object): Watched | undefined {
    return #watched in object ? (object as Mark).#watched : undefined;
  }

  static replace(object: object, watched: Watched): void {
    if (#watched in object) (object as Mark).#watched = watched;
    else new Mark(object, watched);
  }
}

/** @returns who hears of the object, if anybody */
export const findWatched = Mark.find;

/** Has somebody hear of the object from now on. */
export const setWatched = Mark.replace;

const prototypes = new WeakMap<object, object>();

/**
 * Puts a prototype that listens before the object's own.
 *
 * @param make builds it on top of the object's own prototype; called once for each
 */
export function listen(object: object, make: (own: object) => object): void {
  const own: object = Object.getPrototypeOf(object);
  let listening = prototypes.get(own);
  if (listening === undefined) {
    listening = make(own);
    prototypes.set(own, listening);
  }
  Object.setPrototypeOf(object, listening);
}
