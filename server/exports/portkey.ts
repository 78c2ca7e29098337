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

/** Portkey's gateway: targets tried in the order of their list, or by weight where orders are blended. */
export const writePortkey: WriteChain = (view, plan): ExportedFile => {
  const { targets, weights, chain } = view;
  const attempts = Math.min(MOST_RETRIES, Math.max(0, (chain.retry?.maxAttempts ?? 0) - targets.length));
  const nodes = targets.map((target, place) => ({
    name: target.id,
    provider: target.provider,
    api_key: `\${${variableOf(target.provider)}}`,
    ...(target.endpoint?.startsWith("http") ? { custom_host: target.endpoint } : {}),
    ...(weights === null ? {} : { weight: weights[place] ?? 0 }),
    override_params: { model: target.model },
  }));
  const config = {
    strategy: weights === null ? { mode: "fallback", on_status_codes: MOVE_ON } : { mode: "loadbalance" },
    ...(attempts === 0 ? {} : { retry: { attempts, use_retry_after_header: true } }),
    // A weight of nothing is one that is never asked.
    targets: weights === null ? nodes : nodes.filter(({ weight }) => weight !== 0),
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
