import { stringify } from "yaml";
import { AppError } from "../http/app-error.ts";
import { type ExportedFile, lossesOf, type WriteChain } from "./format.ts";

const UNABLE = [
  "schedule",
  "avoid",
  "otherChains",
  "tiers",
  "quality",
  "waits",
  "accounts",
  "endpoints",
  "keys",
] as const;
/** What LiteLLM's router takes for one group's name and another's. */
export const FLOOR_SUFFIX = "-floor";

/**
 * LiteLLM's proxy: a group per chain whose deployments have an `order`, and another one for the floor as its fallback.
 * Blended, deployments share by `weight` instead.
 */
export const writeLitellm: WriteChain = (view, plan): ExportedFile => {
  const { name, targets, floorFrom, weights, chain } = view;
  // LiteLLM puts a variable in the place of any value that begins so.
  const taken = targets.find(({ provider }) => provider === "os.environ");
  if (taken !== undefined)
    throw new AppError({
      status: 409,
      code: "nothing_to_export",
      title: "LiteLLM cannot be told of this target",
      detail: `It reads the provider os.environ of target ${taken.id} as the name of a variable. Give the provider another name.`,
    });
  const floorName = `${name}${FLOOR_SUFFIX}`;
  const models = targets.map((target, place) => {
    const isFloor = floorFrom !== null && place >= floorFrom && floorFrom > 0;
    const { endpoint } = target;
    return {
      model_name: isFloor ? floorName : name,
      litellm_params: {
        model: `${target.provider}/${target.model}`,
        ...(endpoint?.startsWith("http") ? { api_base: endpoint } : {}),
        api_key: `os.environ/${variableOf(target.provider)}`,
        ...(weights === null || isFloor ? { order: isFloor ? place - (floorFrom ?? 0) + 1 : place + 1 } : {}),
        ...(weights === null || isFloor ? {} : { weight: weights[place] ?? 0 }),
        ...(target.maxConcurrency === undefined ? {} : { max_parallel_requests: target.maxConcurrency }),
        ...(target.requestsPerMinute === undefined ? {} : { rpm: Math.floor(target.requestsPerMinute) }),
      },
      model_info: { id: `${name}/${target.id}` },
    };
  });
  const hasFloor = floorFrom !== null && floorFrom > 0;
  const { maxAttempts } = chain.retry ?? {};
  const config = {
    model_list: models,
    router_settings: {
      routing_strategy: "simple-shuffle",
      ...(maxAttempts === undefined ? {} : { num_retries: Math.max(0, maxAttempts - targets.length) }),
      ...(hasFloor ? { fallbacks: [{ [name]: [floorName] }] } : {}),
    },
  };
  return {
    fileName: "config.yaml",
    mediaType: "application/yaml",
    content: stringify(config, { lineWidth: 0 }),
    losses: lossesOf(view, plan, UNABLE).filter(
      (loss) =>
        loss !== "endpoints" ||
        targets.some(({ endpoint }) => endpoint !== undefined && !endpoint.startsWith("http")),
    ),
  };
};

/** `OPENAI_API_KEY` of `openai`. */
export function variableOf(provider: string): string {
  return `${provider.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}_API_KEY`;
}
