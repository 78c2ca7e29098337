import { createContext, useContext, useEffect, useState } from "react";
import type { ListedProject } from "../../../server/contract/access.ts";
import type { Formats } from "../messages/formats.ts";

/** What every page knows: the project that is looked at, and the zone that its times are told in. */
export interface View {
  readonly project: ListedProject;
  readonly projects: readonly ListedProject[];
  /** IANA zone: the one of the URL, else the project's. */
  readonly zone: string;
  readonly formats: Formats;
}

export const ViewContext = createContext<View | null>(null);

export function useView(): View {
  const view = useContext(ViewContext);
  if (view === null) throw new Error("useView stands outside of its provider");
  return view;
}

/** Whether who looks may decide who and what gets in here. */
export function useIsAdmin(): boolean {
  const { role } = useView().project;
  return role === "admin" || role === "owner";
}

/** Whether who looks may write drafts of plans; publishing them is for admins. */
export function useMayWrite(): boolean {
  return useView().project.role !== "viewer";
}

/** The time, again every so often: what depends on it is drawn anew. */
export function useNow(everyMs = 30_000): number {
  const [nowMs, setNowMs] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNowMs(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

export function useMedia(query: string): boolean {
  const [matches, setMatches] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const media = matchMedia(query);
    const update = () => setMatches(media.matches);
    update();
    media.addEventListener("change", update);
    return () => media.removeEventListener("change", update);
  }, [query]);
  return matches;
}

export const PHONE = "(max-width: 40rem)";
