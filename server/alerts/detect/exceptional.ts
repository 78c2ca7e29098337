/** Of the time that was seen, episodes that are exceptions take up no more than this. */
const MOST_OF_TIME = 0.03;

/**
 * Episodes that are to be left out of what is usual: all, where they are rare. What is short of room for half an hour
 * every day is usually so, whenever it comes; without these hours every one of them would be news.
 *
 * @param slots what was counted, each of the same length
 */
export function listExceptional<T extends { readonly fromMs: number; readonly toMs: number }>(
  slots: readonly { readonly startMs: number; readonly n: number }[],
  episodes: readonly T[],
): readonly T[] {
  const seen = slots.filter(({ n }) => n > 0);
  const short = seen.filter(({ startMs }) =>
    episodes.some(({ fromMs, toMs }) => fromMs <= startMs && startMs < toMs),
  );
  return short.length > MOST_OF_TIME * seen.length ? [] : episodes;
}
