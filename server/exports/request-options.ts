import type { PlanTarget } from "../contract/plan.ts";
import { type ExportedFile, type Loss, lossesOf, type WriteChain } from "./format.ts";

const UNABLE: readonly Loss[] = [
  "schedule",
  "avoid",
  "otherChains",
  "tiers",
  "quality",
  "waits",
  "attempts",
  "concurrency",
  "requestsPerMinute",
  "accounts",
  "endpoints",
  "floor",
];

/** What each request to OpenRouter carries: the model, and those to fall back on, in order. */
export const writeOpenRouter: WriteChain = (view, plan): ExportedFile => {
  const models = namesOf(view.targets, "openrouter");
  return write(
    "openrouter.json",
    { model: models[0], models, provider: { allow_fallbacks: true } },
    lossesOf(view, plan, UNABLE),
  );
};

/** What each request of the AI SDK through the AI Gateway carries. */
export const writeVercel: WriteChain = (view, plan): ExportedFile => {
  const [model, ...models] = namesOf(view.targets, "vercel");
  return write(
    "vercel-ai-gateway.json",
    { model, providerOptions: { gateway: { models } } },
    lossesOf(view, plan, UNABLE),
  );
};

/** `provider/model`, once each: these gateways name a model so, and choose the endpoint themselves. */
function namesOf(targets: readonly PlanTarget[], gateway: string): string[] {
  return [
    ...new Set(targets.map(({ provider, model }) => (provider === gateway ? model : `${provider}/${model}`))),
  ];
}

function write(fileName: string, options: unknown, losses: readonly Loss[]): ExportedFile {
  return {
    fileName,
    mediaType: "application/json",
    content: `${JSON.stringify(options, null, 2)}\n`,
    losses,
  };
}
