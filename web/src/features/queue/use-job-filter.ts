import { useMemo } from "react";
import { useLocation, useSearch } from "wouter";

const FILTERS = ["state", "queue", "submitter", "key"] as const;

/** What the address says of which jobs are wanted; `null`: all of them. */
export type JobFilter = Readonly<Record<(typeof FILTERS)[number], string | null>>;

/** The filter, and a way to change some of it at once. */
export function useJobFilter(): [JobFilter, (part: Partial<JobFilter>) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const filter = useMemo(() => readFilter(search), [search]);
  const change = (part: Partial<JobFilter>) => {
    const query = changeFilter(search, part);
    navigate(query === "" ? path : `${path}?${query}`);
  };
  return [filter, change];
}

/** An empty text is the same as none. */
export function readFilter(search: string): JobFilter {
  const params = new URLSearchParams(search);
  const of = (name: string) => params.get(name) || null;
  return { state: of("state"), queue: of("queue"), submitter: of("submitter"), key: of("key") };
}

/** The query with some of the filter changed; what else it says stays. */
export function changeFilter(search: string, part: Partial<JobFilter>): string {
  const params = new URLSearchParams(search);
  for (const name of FILTERS) {
    const value = part[name];
    if (value === undefined) continue;
    if (value === null || value === "") params.delete(name);
    else params.set(name, value);
  }
  return params.toString();
}
