import type { QueryClient } from "@tanstack/react-query";
import { heatmapQuery, modelsQuery, overviewQuery, projectsQuery } from "../api/queries.ts";
import { LAST_HOUR, LAST_THREE_HOURS } from "../features/now/now-ranges.ts";
import { chooseProject } from "./choose-project.ts";
import { readScope } from "./scope.ts";

/**
 * Asks for what the first view needs before React has drawn anything, and for the grid as soon as its zone is known:
 * two round trips less to wait for. What fails here is asked for, and told of, by the page itself.
 */
export async function prefetchFirstView(client: QueryClient, { pathname, search }: Location): Promise<void> {
  const scope = readScope(new URLSearchParams(search));
  const projectsAsked = client.fetchQuery(projectsQuery());
  if (pathname !== "/") return projectsAsked.then(() => {});
  if (scope.project !== null) prefetchNow(client, scope.project);
  const { projects } = await projectsAsked;
  let hasCalls = true;
  if (scope.project === null) {
    hasCalls = (await client.fetchQuery(modelsQuery({ project: null }))).models.length > 0;
  }
  const project = chooseProject(projects, scope.project, hasCalls);
  if (project === undefined) return;
  if (scope.project === null) prefetchNow(client, project.slug);
  const zone = scope.zone ?? project.timeZone;
  const question = { project: project.slug, zone, count: scope.count };
  client.prefetchQuery(heatmapQuery({ ...question, target: null, range: null }));
}

function prefetchNow(client: QueryClient, project: string): void {
  client.prefetchQuery(modelsQuery({ project }));
  client.prefetchQuery(overviewQuery({ project }, LAST_HOUR));
  client.prefetchQuery(overviewQuery({ project }, LAST_THREE_HOURS));
}
