import { useQuery } from "@tanstack/react-query";
import { nowQuery } from "../api/queries.ts";
import { isWithin } from "../app/describe-scope.ts";
import { useMessages } from "../app/preferences.tsx";
import type { Target } from "../app/scope.ts";
import { useScope } from "../app/use-scope.ts";
import { useView } from "../app/view.tsx";
import { OutsideRange } from "./outside-range.tsx";

export interface NoCallsProps {
  /** Whose calls are missing; `null` for all models together. */
  readonly target: Target | null;
  /** How long a range it offers. */
  readonly days: number;
}

/** For a range without calls: when the last one was, and the way there. */
export function NoCalls({ target, days }: NoCallsProps) {
  const { week } = useMessages();
  const { scope } = useScope();
  const { project, zone } = useView();
  const now = useQuery(nowQuery({ project: project.slug, zone, count: scope.count }));
  const seen = (now.data?.targets ?? [])
    .filter((one) => target === null || isWithin(one, target))
    .flatMap(({ lastSeen }) => (lastSeen === null ? [] : [Date.parse(lastSeen)]));
  return seen.length === 0 ? week.empty : <OutsideRange lastSeenMs={Math.max(...seen)} days={days} />;
}
