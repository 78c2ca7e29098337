import { usePreferences } from "../../app/preferences.tsx";
import { routingEn } from "../../messages/routing-en.ts";
import { routingZh } from "../../messages/routing-zh.ts";

export type RoutingWords = typeof routingEn;

/** The words of these pages. They come with the pages, not with the first view. */
export function useRouting(): RoutingWords {
  return usePreferences().language === "zh" ? routingZh : routingEn;
}
