import { usePreferences } from "../../app/preferences.tsx";
import { queueEn } from "../../messages/queue-en.ts";
import { queueZh } from "../../messages/queue-zh.ts";

export type QueueWords = typeof queueEn;

/** The words of this page. They come with the page, not with the first view. */
export function useQueueWords(): QueueWords {
  return usePreferences().language === "zh" ? queueZh : queueEn;
}
