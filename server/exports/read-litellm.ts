import { parse } from "yaml";
import { z } from "zod";
import type { PlanDocument, PlanTarget } from "../contract/plan.ts";
import { FLOOR_SUFFIX } from "./litellm.ts";
import { toPlan, UnreadableConfig, unreadable } from "./unreadable-config.ts";

const deployment = z.looseObject({
  model_name: z.string().min(1),
  litellm_params: z.looseObject({
    model: z.string().min(1),
    api_base: z.string().optional(),
    order: z.number().optional(),
    rpm: z.number().optional(),
    max_parallel_requests: z.number().optional(),
  }),
  model_info: z.looseObject({ id: z.string().optional() }).optional(),
});
const fallbacks = z.array(z.record(z.string(), z.array(z.unknown()))).optional();
const config = z.looseObject({
  model_list: z.array(deployment).min(1),
  router_settings: z.looseObject({ fallbacks }).nullish(),
  litellm_settings: z.looseObject({ fallbacks }).nullish(),
});

type Deployment = z.infer<typeof deployment>;

/**
 * Names and order of a LiteLLM proxy's configuration: a chain per group that no other group falls back on, its
 * deployments by `order`, then those of its fallbacks.
 *
 * @throws UnreadableConfig with what is wrong and where
 */
export function readLitellm(text: string, timeZone: string): PlanDocument {
  let value: unknown;
  try {
    // Aliases that refer to each other a million times are no configuration.
    value = parse(text, { maxAliasCount: 100 });
  } catch (error) {
    if (error instanceof Error) throw new UnreadableConfig(`is no YAML: ${error.message.split("\n")[0]}`);
    throw error;
  }
  const read = config.safeParse(value);
  if (!read.success) throw unreadable(read.error.issues);
  const { model_list: models, router_settings: router, litellm_settings: settings } = read.data;
  const rules = router?.fallbacks ?? settings?.fallbacks ?? [];
  const nextOf = (group: string) =>
    rules.flatMap((rule) => rule[group] ?? []).filter((name): name is string => typeof name === "string");
  const groups = [...new Set(models.map(({ model_name }) => model_name))];
  const later = new Set(groups.flatMap(nextOf));
  // Where each falls back on another, all of them are chains.
  const heads = groups.filter((group) => !later.has(group));
  const chains = (heads.length === 0 ? groups : heads).map((group) => {
    const order = listReached(group, nextOf).filter((name) => groups.includes(name));
    const targets = order.flatMap((name) => targetsOf(name, group, models));
    const floor = order.find((name) => name === `${group}${FLOOR_SUFFIX}`);
    const floorId = floor === undefined ? undefined : targetsOf(floor, group, models)[0]?.id;
    return [group, { targets, ...(floorId === undefined ? {} : { floor: floorId }) }] as const;
  });
  return toPlan(timeZone, Object.fromEntries(chains));
}

function listReached(group: string, nextOf: (group: string) => string[]): string[] {
  const reached = [group];
  for (const name of reached)
    for (const next of nextOf(name)) if (!reached.includes(next)) reached.push(next);
  return reached;
}

function targetsOf(group: string, chain: string, models: readonly Deployment[]): PlanTarget[] {
  return models
    .map((model, place) => ({ model, place }))
    .filter(({ model }) => model.model_name === group)
    .sort((a, b) => orderOf(a.model) - orderOf(b.model) || a.place - b.place)
    .map(({ model: { litellm_params: params, model_info: info }, place }): PlanTarget => {
      const [provider = "", ...rest] = params.model.split("/");
      const id = info?.id?.startsWith(`${chain}/`) ? info.id.slice(chain.length + 1) : info?.id;
      return {
        id: id ?? `${group}-${place + 1}`,
        // Without a provider LiteLLM takes OpenAI's.
        provider: rest.length === 0 ? "openai" : provider,
        model: rest.length === 0 ? provider : rest.join("/"),
        ...(params.api_base === undefined ? {} : { endpoint: params.api_base }),
        ...(params.max_parallel_requests === undefined
          ? {}
          : { maxConcurrency: params.max_parallel_requests }),
        ...(params.rpm === undefined ? {} : { requestsPerMinute: params.rpm }),
      };
    });
}

const orderOf = ({ litellm_params: { order } }: Deployment) => order ?? 1;
