import { useCallback, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import { changeSearch, linkTo, type PageParams, readScope, type ScopeChange } from "./scope.ts";

/** What the address says, and ways to change it. */
export function useScope() {
  const search = useSearch();
  const [path, navigate] = useLocation();
  const scope = useMemo(() => readScope(new URLSearchParams(search)), [search]);
  const change = useCallback(
    (part: ScopeChange, options: { replace?: boolean } = {}) => {
      const query = changeSearch(search, part);
      navigate(query === "" ? path : `${path}?${query}`, { replace: options.replace ?? false });
    },
    [search, path, navigate],
  );
  const link = useCallback(
    (to: string, part?: ScopeChange, own?: PageParams) => linkTo(search, to, part, own),
    [search],
  );
  return { scope, change, link };
}
