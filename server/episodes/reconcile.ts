/** A span of time, epoch milliseconds; `toMs` is when it was last seen. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

export interface Reconciled<Old, New> {
  readonly changed: readonly { readonly old: Old; readonly found: New }[];
  readonly added: readonly New[];
  readonly removed: readonly Old[];
}

/**
 * Matches what was stored with what is found now, by overlap, so that an episode whose start was corrected is still the
 * same one. Where several match, the earliest does.
 *
 * @param stored and `found`: of one target, ascending
 */
export function reconcile<Old extends Span, New extends Span>(
  stored: readonly Old[],
  found: readonly New[],
): Reconciled<Old, New> {
  const left = [...stored];
  const changed: { old: Old; found: New }[] = [];
  const added: New[] = [];
  for (const one of found) {
    const at = left.findIndex(({ fromMs, toMs }) => fromMs < one.toMs && toMs > one.fromMs);
    const [old] = at < 0 ? [] : left.splice(at, 1);
    if (old === undefined) added.push(one);
    else changed.push({ old, found: one });
  }
  return { changed, added, removed: left };
}
