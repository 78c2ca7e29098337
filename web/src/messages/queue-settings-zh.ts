import type { queueSettingsEn } from "./queue-settings-en.ts";

export const queueSettingsZh: typeof queueSettingsEn = {
  title: "队列",
  note: "可以等待的工作",
  storesPayloads: "任务内容",
  stores: { off: "不保存", on: "加密保存" },
  save: "保存",
  storesHint: "默认关闭：任务内容是唯一保存您的文本的地方。使用引用则不需要。",
  offHint: "关闭后，已保存的内容立即删除；需要内容的任务将被放弃。",
  payloadHours: "内容保留（小时）",
  keptDays: "已结束的任务保留（天）",
  deadKeptDays: "已放弃的任务保留（天）",
};
