import { type ExportedFile, lossesOf, type WriteChain } from "./format.ts";
import { variableOf } from "./litellm.ts";

const UNABLE = [
  "schedule",
  "avoid",
  "otherChains",
  "tiers",
  "quality",
  "waits",
  "concurrency",
  "requestsPerMinute",
  "accounts",
  "endpoints",
  "floor",
  "keys",
] as const;
/** What another target may do better; without it the gateway would also go on after the caller's own faults. */
const MOVE_ON = [408, 429, 500, 502, 503, 504, 529];
const MOST_RETRIES = 5;

/**
 * One of those that share the load, then all others that may have room: those that are asked first more seldom come first,
 * since the one that was drawn is most likely not among them.
 */
function blend<T>(nodes: readonly T[], weights: readonly number[]) {
  const weighed = nodes.map((node, place) => ({ node, weight: weights[place] ?? 0 }));
  // A weight of nothing is one that is never drawn.
  const sharing = weighed.filter(({ weight }) => weight > 0).sort((a, b) => a.weight - b.weight);
  const others = weighed.filter(({ weight }) => weight === 0).map(({ node }) => node);
  if (sharing.length < 2) return [...sharing.map(({ node }) => node), ...others];
  const drawn = {
    strategy: { mode: "loadbalance" },
    targets: sharing.map(({ node, weight }) => ({ ...node, weight })),
  };
  return [drawn, ...sharing.map(({ node }) => node), ...others];
}

/** Portkey's gateway: targets tried in the order of their list, or by weight where orders are blended. */
export const writePortkey: WriteChain = (view, plan): ExportedFile => {
  const { targets, weights, chain } = view;
  const attempts = Math.min(MOST_RETRIES, Math.max(0, (chain.retry?.maxAttempts ?? 0) - targets.length));
  const nodes = targets.map((target) => ({
    name: target.id,
    provider: target.provider,
    api_key: `\${${variableOf(target.provider)}}`,
    ...(target.endpoint?.startsWith("http") ? { custom_host: target.endpoint } : {}),
    override_params: { model: target.model },
  }));
  const config = {
    strategy: { mode: "fallback", on_status_codes: MOVE_ON },
    ...(attempts === 0 ? {} : { retry: { attempts, use_retry_after_header: true } }),
    targets: weights === null ? nodes : blend(nodes, weights),
  };
  return {
    fileName: "portkey.json",
    mediaType: "application/json",
    content: `${JSON.stringify(config, null, 2)}\n`,
    losses: lossesOf(view, plan, UNABLE).filter(
      (loss) =>
        loss !== "endpoints" ||
        targets.some(({ endpoint }) => endpoint !== undefined && !endpoint.startsWith("http")),
    ),
  };
};
