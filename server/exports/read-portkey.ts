import { z } from "zod";
import type { PlanDocument, PlanTarget } from "../contract/plan.ts";
import { toPlan, UnreadableConfig, unreadable } from "./unreadable-config.ts";

interface Node {
  readonly name?: string | undefined;
  readonly provider?: string | undefined;
  readonly virtual_key?: string | undefined;
  readonly weight?: number | undefined;
  readonly custom_host?: string | undefined;
  readonly strategy?: { readonly mode: string } | undefined;
  readonly override_params?: { readonly model?: string | undefined } | undefined;
  readonly targets?: readonly Node[] | undefined;
}

const node: z.ZodType<Node> = z.looseObject({
  name: z.string().optional(),
  provider: z.string().optional(),
  virtual_key: z.string().optional(),
  weight: z.number().optional(),
  custom_host: z.string().optional(),
  strategy: z.looseObject({ mode: z.enum(["single", "loadbalance", "fallback", "conditional"]) }).optional(),
  override_params: z.looseObject({ model: z.string().optional() }).optional(),
  get targets() {
    return z.array(node).optional();
  },
});

/**
 * Names and order of a Portkey configuration, as one chain: leaves in the order in which they would be asked, those
 * that share a load by falling weight.
 *
 * @throws UnreadableConfig with what is wrong and where
 */
export function readPortkey(text: string, timeZone: string, chain = "default"): PlanDocument {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnreadableConfig(`is no JSON: ${error instanceof Error ? error.message : ""}`);
  }
  const read = node.safeParse(value);
  if (!read.success) throw unreadable(read.error.issues);
  const leaves = withoutRepeated(listLeaves(read.data));
  const ids = new Set<string>();
  const targets = leaves.map((leaf, place): PlanTarget => {
    const model = leaf.override_params?.model ?? "";
    const named = leaf.name ?? (model === "" ? `target-${place + 1}` : model);
    const id = ids.has(named) ? `${named}-${place + 1}` : named;
    ids.add(id);
    return {
      id,
      provider: leaf.provider ?? leaf.virtual_key ?? "",
      model,
      ...(leaf.custom_host === undefined ? {} : { endpoint: leaf.custom_host }),
    };
  });
  return toPlan(timeZone, { [chain]: { targets } });
}

/** One that shares a load may be asked again after the others. */
function withoutRepeated(leaves: readonly Node[]): Node[] {
  const keyOf = ({ weight: _, ...rest }: Node) => JSON.stringify(rest);
  const keys = leaves.map(keyOf);
  return leaves.filter((_, place) => keys.indexOf(keys[place] ?? "") === place);
}

function listLeaves(one: Node): Node[] {
  if (one.targets === undefined) return [one];
  const targets =
    one.strategy?.mode === "loadbalance"
      ? [...one.targets].sort((a, b) => (b.weight ?? 1) - (a.weight ?? 1))
      : one.targets;
  return targets.flatMap(listLeaves);
}
