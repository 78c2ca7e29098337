import type { Sql } from "../../db/connect.ts";
import * as contract from "../contract/advice-routes.ts";
import { findEpisode } from "../episodes/queries.ts";
import { AppError } from "../http/app-error.ts";
import { invalidQuery } from "../http/parse.ts";
import { lastMs, readRange, readZone } from "../http/range.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { DAY_MS } from "../rollup/levels.ts";
import { type DiagnosisQuestion, getDiagnosis } from "./diagnosis.ts";
import { isEverCalled } from "./queries.ts";

/** More would be read from too many rows, and would have more than one reason. */
const LONGEST_MS = 31 * DAY_MS;

export function diagnosisRoutes({ sql }: { sql: Sql }): BoundRoute[] {
  return [
    bindRoute(contract.getDiagnosis, async ({ project, query, nowMs }) => {
      const { episode, provider, model, endpoint, from, to, locale } = query;
      const told = { projectId: project.id, zone: readZone(query.zone, project), locale };
      if (episode === undefined) {
        const range = readRange({ from, to }, nowMs, DAY_MS) ?? lastMs(nowMs, DAY_MS);
        if (range.toMs - range.fromMs > LONGEST_MS)
          throw invalidQuery([{ pointer: "?from", detail: "is more than 31 days before to" }]);
        const filter = { provider, model, endpoint };
        await assertCalled(sql, project.id, filter);
        return getDiagnosis(sql, { ...told, filter, range, episode: null }, nowMs);
      }
      for (const [name, value] of Object.entries({ provider, model, endpoint, from, to })) {
        if (value !== undefined)
          throw invalidQuery([{ pointer: `?${name}`, detail: "is said by the episode already" }]);
      }
      const found = await findEpisode(sql, project.id, episode);
      if (found === null)
        throw new AppError({ status: 404, code: "no_such_episode", title: "There is no such episode" });
      const filter = { provider: found.provider, model: found.model, endpoint: found.endpoint };
      const range = { fromMs: found.fromMs, toMs: found.toMs };
      return getDiagnosis(sql, { ...told, filter, range, episode }, nowMs);
    }),
  ];
}

/** Of what nobody ever called, six empty steps would say nothing. */
async function assertCalled(sql: Sql, projectId: number, filter: DiagnosisQuestion["filter"]): Promise<void> {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0 || (await isEverCalled(sql, projectId, filter))) return;
  throw invalidQuery(
    asked.map(([name]) => {
      const rest =
        asked.length === 1
          ? ""
          : ` with this ${asked
              .map(([other]) => other)
              .filter((other) => other !== name)
              .join(" and ")}`;
      return { pointer: `?${name}`, detail: `was never called${rest}; GET /api/models lists what was` };
    }),
  );
}
