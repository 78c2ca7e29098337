import type { ReplayedChain, ReplayedTarget } from "../contract/replay.ts";

type Figures = NonNullable<ReplayedChain["current"]>;

/** A replayed chain in lines of English, for terminals: the figures now and then, and each target's part. */
export function formatReplay({
  chain,
  requests,
  traffic,
  current,
  candidate,
  targets,
}: ReplayedChain): string {
  const whose = traffic === "targets" ? ", of any chain that ended at its targets" : "";
  const head = `${chain}: ${requests.toLocaleString("en")} requests${whose}`;
  if (candidate === null) return `${head}; there is nothing to estimate from`;
  const figure = (name: string, pick: (of: Figures) => string) =>
    `  ${name} ${current === null ? "" : `${pick(current)} → `}${pick(candidate)}`;
  return [
    head,
    figure("success", ({ success }) => percent(success)),
    figure("no room", ({ capacityShare }) => percent(capacityShare)),
    figure("first tier", ({ firstTierShare }) => percent(firstTierShare)),
    figure("attempts per request", ({ attemptsPerRequest }) => attemptsPerRequest.toFixed(2)),
    ...targets.map(formatTarget),
  ].join("\n");
}

function formatTarget({ target, asked, served, failureShare }: ReplayedTarget): string {
  if (asked === null || served === null || failureShare === null)
    return `  ${target}: was not called in these days, and is left out`;
  return `  ${target}: asked ${percent(asked)}, serves ${percent(served)}, fails ${percent(failureShare)}`;
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
