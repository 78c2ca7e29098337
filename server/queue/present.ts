import type { Sql } from "../../db/connect.ts";
import { isSameTarget, type TargetName, targetKey } from "../advice/target-history.ts";
import { toCell } from "../capacity/cell.ts";
import { judgeNow } from "../capacity/judge-now.ts";
import { listTargetShares } from "../capacity/now-queries.ts";
import { planReading } from "../capacity/segments.ts";
import { HOUR_MS } from "../rollup/levels.ts";
import type { Present } from "./decide-gate.ts";
import { listOpenEpisodes } from "./gate-queries.ts";

/** How each target of a project is now, as the pages have it. */
export async function lookAround(
  sql: Sql,
  projectId: number,
  nowMs: number,
): Promise<(target: TargetName) => Present> {
  const shares = async (hours: number) => {
    const { segments } = planReading({ fromMs: nowMs - hours * HOUR_MS, toMs: nowMs }, nowMs);
    const found = await listTargetShares(sql, {
      projectId,
      filter: {},
      segments,
      count: "attempts",
      outcome: "capacity",
    });
    return new Map(found.map((share) => [targetKey(share), toCell(share.k, share.n)]));
  };
  const [one, three, episodes] = await Promise.all([shares(1), shares(3), listOpenEpisodes(sql, projectId)]);
  return (target) => {
    const key = targetKey(target);
    const { state, cell } = judgeNow(one.get(key), three.get(key));
    return { state, rate: cell.rate, hasEpisode: episodes.some(isSameTarget(target)) };
  };
}
