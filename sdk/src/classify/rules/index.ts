import type { RuleTable } from "../rule.ts";
import { ANTHROPIC } from "./anthropic.ts";
import { ARK } from "./ark.ts";
import { AWS } from "./aws.ts";
import { AZURE } from "./azure.ts";
import { BAIDU } from "./baidu.ts";
import { DASHSCOPE, DASHSCOPE_COMPATIBLE } from "./dashscope.ts";
import { GATEWAYS } from "./gateways.ts";
import { GENERIC } from "./generic.ts";
import { GOOGLE } from "./google.ts";
import { HOSTS } from "./hosts.ts";
import { MINIMAX } from "./minimax.ts";
import { MOONSHOT } from "./moonshot.ts";
import { OPENAI } from "./openai.ts";
import { SILICONFLOW } from "./siliconflow.ts";
import { SPARK } from "./spark.ts";
import { TENCENT } from "./tencent.ts";
import { STATUS, WEAK } from "./weak.ts";
import { ZHIPU } from "./zhipu.ts";

/** Rules in the order in which they are asked: each provider's own words, then anybody's. */
export const STRONG_TABLES: Readonly<Record<string, RuleTable>> = {
  ...GATEWAYS,
  zhipu: ZHIPU,
  minimax: MINIMAX,
  baidu: BAIDU,
  spark: SPARK,
  siliconflow: SILICONFLOW,
  dashscope: DASHSCOPE,
  "dashscope-compatible": DASHSCOPE_COMPATIBLE,
  ark: ARK,
  tencent: TENCENT,
  moonshot: MOONSHOT,
  azure: AZURE,
  google: GOOGLE,
  anthropic: ANTHROPIC,
  aws: AWS,
  ...HOSTS,
  openai: OPENAI,
  generic: GENERIC,
};

/** Asked last, of everything at once. */
export const WEAK_TABLES: Readonly<Record<string, RuleTable>> = { weak: WEAK, status: STATUS };
