import { useCallback } from "react";
import { useLocation, useSearch } from "wouter";

/** One query parameter that belongs to a page alone; an empty text is the same as none. */
export function usePageParam(name: string): [string | null, (value: string | null) => void] {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const value = new URLSearchParams(search).get(name);
  const set = useCallback(
    (next: string | null) => {
      const params = new URLSearchParams(search);
      if (next === null || next === "") params.delete(name);
      else params.set(name, next);
      const query = params.toString();
      navigate(query === "" ? path : `${path}?${query}`, { replace: true });
    },
    [name, search, path, navigate],
  );
  return [value, set];
}
