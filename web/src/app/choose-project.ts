import type { ListedProject } from "../../../server/contract/access.ts";

/**
 * The project that is looked at: the one that is named, else one's own. Whoever names none and has no calls yet
 * begins with the sample, if there is one.
 */
export function chooseProject(
  projects: readonly ListedProject[],
  slug: string | null,
): ListedProject | undefined {
  if (slug !== null) return projects.find((project) => project.slug === slug);
  const sample = projects.find(({ isSample }) => isSample);
  const own = projects.find(({ isSample }) => !isSample);
  return own?.hasCalls === true ? own : (sample ?? own);
}
