import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useEffect, useMemo } from "react";
import { useLocation, useSearch } from "wouter";
import type { ListedProject } from "../../../server/contract/access.ts";
import { isNotSignedIn } from "../api/api-error.ts";
import { projectsQuery } from "../api/queries.ts";
import { Failure, Loading, Notice } from "../components/notice.tsx";
import { createFormats } from "../messages/formats.ts";
import { chooseProject } from "./choose-project.ts";
import { OpenPage } from "./open-page.tsx";
import { usePreferences } from "./preferences.tsx";
import { SignInPage } from "./sign-in-page.tsx";
import { useScope } from "./use-scope.ts";
import { ViewContext } from "./view.tsx";

const OpenErrorsPage = lazy(async () => ({
  default: (await import("../features/errors/errors-page.tsx")).OpenErrorsPage,
}));

/** Lets those in who are signed in, and settles which project is looked at. */
export function Gate({ children }: { children: ReactNode }) {
  const { scope } = useScope();
  const params = new URLSearchParams(useSearch());
  const projects = useQuery(projectsQuery());
  const [path] = useLocation();
  if (isNotSignedIn(projects.error)) {
    // Naming an error needs nothing of the server.
    if (path !== "/errors") return <SignInPage outcome={params.get("signIn")} />;
    return (
      <OpenPage>
        <Suspense fallback={<Loading />}>
          <OpenErrorsPage />
        </Suspense>
      </OpenPage>
    );
  }
  if (projects.data !== undefined) {
    return (
      <Settle projects={projects.data.projects} slug={scope.project}>
        {children}
      </Settle>
    );
  }
  if (projects.isError) return <Failure error={projects.error} onRetry={() => projects.refetch()} isPage />;
  return <Loading isPage />;
}

interface SettleProps {
  readonly projects: readonly ListedProject[];
  readonly slug: string | null;
  readonly children: ReactNode;
}

function Settle({ projects, slug, children }: SettleProps) {
  const { messages, language } = usePreferences();
  const { scope, change, link } = useScope();
  const project = chooseProject(projects, slug);
  const begins = slug === null && project?.isSample === true;
  useEffect(() => {
    if (begins && project !== undefined) change({ project: project.slug }, { replace: true });
  }, [begins, change, project]);

  const zone = scope.zone ?? project?.timeZone ?? "UTC";
  const formats = useMemo(() => createFormats(language, zone), [language, zone]);
  const view = useMemo(
    () => (project === undefined ? null : { project, projects, zone, formats }),
    [project, projects, zone, formats],
  );
  if (view === null) {
    return (
      <Notice title={messages.states.noProject} isPage>
        <a href={link("/", { project: null })}>{messages.states.toStart}</a>
      </Notice>
    );
  }
  if (begins) return <Loading isPage />;
  return <ViewContext value={view}>{children}</ViewContext>;
}
