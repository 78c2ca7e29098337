import { fromWallText, toWallText } from "../../time/wall.ts";

const DAY_MS = 86_400_000;

/** The local midnights of a range, ascending, from the one that it begins after. */
export function startOfDays(range: { readonly from: string; readonly to: string }, zone: string): number[] {
  const toMs = Date.parse(range.to);
  const starts: number[] = [];
  let dateMs = Date.parse(toWallText(Date.parse(range.from), zone).slice(0, 10));
  for (; ; dateMs += DAY_MS) {
    const startMs = fromWallText(`${new Date(dateMs).toISOString().slice(0, 10)}T00:00`, zone);
    if (startMs >= toMs) return starts;
    starts.push(startMs);
  }
}
