import { usePreferences } from "../../app/preferences.tsx";
import { alertsEn } from "../../messages/alerts-en.ts";
import { alertsZh } from "../../messages/alerts-zh.ts";

export type AlertWords = typeof alertsEn;

/** The words of these pages. They come with the pages, not with the first view. */
export function useAlerts(): AlertWords {
  return usePreferences().language === "zh" ? alertsZh : alertsEn;
}
