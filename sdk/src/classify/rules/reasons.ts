import { ANTHROPIC_REASONS } from "./anthropic.ts";
import { ARK_REASONS } from "./ark.ts";
import { AWS_REASONS } from "./aws.ts";
import { AZURE_REASONS } from "./azure.ts";
import { BAIDU_REASONS } from "./baidu.ts";
import { DASHSCOPE_COMPATIBLE_REASONS, DASHSCOPE_REASONS } from "./dashscope.ts";
import { GATEWAYS_REASONS } from "./gateways.ts";
import { GENERIC_REASONS } from "./generic.ts";
import { GOOGLE_REASONS } from "./google.ts";
import { HOSTS_REASONS } from "./hosts.ts";
import { MINIMAX_REASONS } from "./minimax.ts";
import { MOONSHOT_REASONS } from "./moonshot.ts";
import { OPENAI_REASONS } from "./openai.ts";
import { SILICONFLOW_REASONS } from "./siliconflow.ts";
import { SPARK_REASONS } from "./spark.ts";
import { TENCENT_REASONS } from "./tencent.ts";
import { STATUS_REASONS, WEAK_REASONS } from "./weak.ts";
import { ZHIPU_REASONS } from "./zhipu.ts";

const REASONS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ...GATEWAYS_REASONS,
  zhipu: ZHIPU_REASONS,
  minimax: MINIMAX_REASONS,
  baidu: BAIDU_REASONS,
  spark: SPARK_REASONS,
  siliconflow: SILICONFLOW_REASONS,
  dashscope: DASHSCOPE_REASONS,
  "dashscope-compatible": DASHSCOPE_COMPATIBLE_REASONS,
  ark: ARK_REASONS,
  tencent: TENCENT_REASONS,
  moonshot: MOONSHOT_REASONS,
  azure: AZURE_REASONS,
  google: GOOGLE_REASONS,
  anthropic: ANTHROPIC_REASONS,
  aws: AWS_REASONS,
  ...HOSTS_REASONS,
  openai: OPENAI_REASONS,
  generic: GENERIC_REASONS,
  weak: WEAK_REASONS,
  status: STATUS_REASONS,
};

/** Why a rule of ours says what it says, in English; `null` for a rule that is not ours. */
export function findReason(ruleId: string): string | null {
  const [table = "", ...rest] = ruleId.split("/");
  return (
    REASONS[table]?.[rest.join("/")] ?? (ruleId === "generic/unnamed" ? "Nothing in it is known." : null)
  );
}
