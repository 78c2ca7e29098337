import { usePreferences } from "../../../app/preferences.tsx";
import { statusEn } from "../../../messages/status-en.ts";
import { statusZh } from "../../../messages/status-zh.ts";

export type StatusSettingsWords = typeof statusEn;

/** The words of these panels. They come with the page, not with the first view. */
export function useStatus(): StatusSettingsWords {
  return usePreferences().language === "zh" ? statusZh : statusEn;
}
