import type { ListedProject } from "../../../server/contract/access.ts";
import { askEarly } from "../api/early.ts";
import { nowPath, projectsPath, rangePath, sharePath } from "../api/paths.ts";
import { LAST_WEEK } from "../features/now/last-week.ts";
import { chooseProject } from "./choose-project.ts";
import { readScope } from "./scope.ts";

/**
 * Asks for what the first view needs while the code of the pages is still on its way. What fails here is told of by
 * the page, which asks for the same.
 */
export async function askFirstView({ pathname, search }: Location): Promise<void> {
  // An invitation asks for nothing of it, and an answer that nobody reads stays open.
  if (pathname === "/invitation") return;
  const answer = await askEarly(projectsPath());
  if (pathname !== "/" || !answer.ok) return;
  const { projects } = (await answer.clone().json()) as { projects: ListedProject[] };
  const { target, count, range, ...scope } = readScope(new URLSearchParams(search));
  const project = chooseProject(projects, scope.project);
  if (project === undefined) return;
  const where = { project: project.slug, zone: scope.zone ?? project.timeZone, count };
  askEarly(nowPath(where));
  askEarly(sharePath("/api/heatmap", { ...where, target: null, range: null }));
  if (target !== null || range !== null) askEarly(sharePath("/api/heatmap", { ...where, target, range }));
  askEarly(rangePath("/api/overview", { project: project.slug, range: LAST_WEEK }));
}
