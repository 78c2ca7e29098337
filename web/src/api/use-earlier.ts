import { useQuery } from "@tanstack/react-query";
import type { Overview } from "../../../server/contract/share.ts";
import { earlierByMs, type RangeChoice } from "../app/range.ts";
import { useScope } from "../app/use-scope.ts";
import type { Where } from "./paths.ts";
import { overviewQuery } from "./queries.ts";

/** The figures of the time that one compares with; `null` when one does not, and until they are there. */
export function useEarlierOverview(where: Where, range: RangeChoice): Overview | null {
  const { compare } = useScope().scope;
  const agoMs = earlierByMs(range, compare ?? "before");
  const earlier = useQuery({ ...overviewQuery(where, range, agoMs), enabled: compare !== null });
  return compare === null ? null : (earlier.data ?? null);
}
