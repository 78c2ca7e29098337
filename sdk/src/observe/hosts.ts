/** Which provider answers at a host, by the end of its name; the longest end that fits decides. */
const PROVIDER_BY_HOST: Readonly<Record<string, string>> = {
  "api.openai.com": "openai",
  "openai.azure.com": "azure",
  "cognitiveservices.azure.com": "azure",
  "services.ai.azure.com": "azure",
  "models.ai.azure.com": "azure",
  "api.anthropic.com": "anthropic",
  "generativelanguage.googleapis.com": "google",
  "cloudcode-pa.googleapis.com": "google",
  "aiplatform.googleapis.com": "vertex",
  "openrouter.ai": "openrouter",
  "ai-gateway.vercel.sh": "vercel",
  "gateway.ai.cloudflare.com": "cloudflare",
  "api.cloudflare.com": "cloudflare",
  "api.mistral.ai": "mistral",
  "codestral.mistral.ai": "mistral",
  "api.deepseek.com": "deepseek",
  "api.groq.com": "groq",
  "api.x.ai": "xai",
  "api.together.xyz": "together",
  "api.together.ai": "together",
  "api.fireworks.ai": "fireworks",
  "api.cohere.com": "cohere",
  "api.cohere.ai": "cohere",
  "api.perplexity.ai": "perplexity",
  "api.cerebras.ai": "cerebras",
  "api.sambanova.ai": "sambanova",
  "api.deepinfra.com": "deepinfra",
  "api.novita.ai": "novita",
  "api.hyperbolic.xyz": "hyperbolic",
  "api.replicate.com": "replicate",
  "integrate.api.nvidia.com": "nvidia",
  "router.huggingface.co": "huggingface",
  "api-inference.huggingface.co": "huggingface",
  "models.github.ai": "github-models",
  "models.inference.ai.azure.com": "github-models",
  "api.githubcopilot.com": "github-copilot",
  "ollama.com": "ollama-cloud",
  "dashscope.aliyuncs.com": "dashscope",
  "dashscope-intl.aliyuncs.com": "dashscope",
  "dashscope-us.aliyuncs.com": "dashscope",
  "open.bigmodel.cn": "zhipu",
  "api.z.ai": "zhipu",
  "api.moonshot.cn": "moonshot",
  "api.moonshot.ai": "moonshot",
  "volces.com": "volcengine",
  "api.minimax.io": "minimax",
  "api.minimaxi.com": "minimax",
  "api.minimax.chat": "minimax",
  "api.siliconflow.cn": "siliconflow",
  "api.siliconflow.com": "siliconflow",
  "qianfan.baidubce.com": "qianfan",
  "aip.baidubce.com": "qianfan",
  "hunyuan.cloud.tencent.com": "hunyuan",
  "spark-api-open.xf-yun.com": "iflytek",
  "api.baichuan-ai.com": "baichuan",
  "api.stepfun.com": "stepfun",
  "ml.cloud.ibm.com": "watsonx",
  "cloud.databricks.com": "databricks",
  "azuredatabricks.net": "databricks",
};

/** @returns the provider whose host this is, or `null` for a host that is nobody's known door */
export function findProviderOfHost(hostname: string): string | null {
  if (/^bedrock(-runtime|-mantle)?(-fips)?\.[\w.-]*\b(amazonaws\.com|api\.aws)(\.cn)?$/.test(hostname))
    return "bedrock";
  // Regions stand before a dash there: `us-east5-aiplatform.googleapis.com`.
  if (hostname.endsWith("-aiplatform.googleapis.com")) return "vertex";
  for (let at = 0; at !== -1; ) {
    const provider = PROVIDER_BY_HOST[hostname.slice(at)];
    if (provider !== undefined) return provider;
    const dot = hostname.indexOf(".", at);
    at = dot === -1 ? -1 : dot + 1;
  }
  return null;
}
