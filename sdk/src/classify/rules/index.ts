import type { Rule } from "../rule.ts";
import { ANTHROPIC } from "./anthropic.ts";
import { AWS } from "./aws.ts";
import { AZURE } from "./azure.ts";
import { CHINA } from "./china.ts";
import { GATEWAYS } from "./gateways.ts";
import { GENERIC } from "./generic.ts";
import { GOOGLE } from "./google.ts";
import { HOSTS } from "./hosts.ts";
import { OPENAI } from "./openai.ts";
import { WEAK } from "./weak.ts";

/** Rules in the order in which they are asked: each provider's own words, then anybody's. */
export const STRONG_RULES: readonly Rule[] = [
  ...GATEWAYS,
  ...CHINA,
  ...AZURE,
  ...GOOGLE,
  ...ANTHROPIC,
  ...AWS,
  ...HOSTS,
  ...OPENAI,
  ...GENERIC,
];

/** Asked last, of everything at once. */
export const WEAK_RULES: readonly Rule[] = WEAK;
