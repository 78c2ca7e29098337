import { z } from "zod";

export const CHANNEL_KINDS = [
  "slack",
  "discord",
  "teams",
  "feishu",
  "dingtalk",
  "wecom",
  "email",
  "pagerduty",
  "webhook",
  "alertmanager",
] as const;
export const channelKind = z.enum(CHANNEL_KINDS);
export type ChannelKind = z.infer<typeof channelKind>;
