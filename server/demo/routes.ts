import * as contract from "../contract/routes.ts";
import { AppError } from "../http/app-error.ts";
import { type BoundRoute, bindRoute } from "../http/route.ts";
import { findProject, SAMPLE_PROJECT, toProjectRecord } from "../projects/projects.ts";
import { createSample, removeSample, type SampleDeps, type SampleProgress } from "./sample.ts";

export function sampleRoutes(deps: SampleDeps & { onChanged: () => void }): BoundRoute[] {
  let making: Promise<unknown> | null = null;
  let progress: SampleProgress = { attempts: 0, share: 0 };
  return [
    bindRoute(contract.postSample, async ({ nowMs, occasion }) => {
      if (making !== null) {
        throw new AppError({
          status: 409,
          code: "sample_in_making",
          title: "The sample is being made already",
        });
      }
      const made = createSample(deps, nowMs, {
        occasion,
        onProgress(now) {
          progress = now;
        },
      });
      making = made;
      try {
        const { project, attempts } = await made;
        return { project: toProjectRecord(project), attempts };
      } finally {
        making = null;
        deps.onChanged();
      }
    }),
    bindRoute(contract.getSample, async () => {
      if (making !== null) return { state: "making" as const, ...progress };
      const sample = await findProject(deps.db, SAMPLE_PROJECT);
      return { state: sample === null ? ("none" as const) : ("ready" as const), attempts: null, share: null };
    }),
    bindRoute(contract.deleteSample, async ({ occasion }) => {
      await making?.catch(() => {});
      if (!(await removeSample(deps, occasion))) {
        throw new AppError({ status: 404, code: "no_sample", title: "There is no sample project" });
      }
      deps.onChanged();
      return undefined;
    }),
  ];
}
