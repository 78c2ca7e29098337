import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedKey } from "../../../../server/contract/access.ts";
import { sourcesQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useIsAdmin, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { sumArrivals } from "./arrivals.ts";
import { ConnectPanel } from "./connect-panel.tsx";
import { KeysPanel } from "./keys-panel.tsx";
import { SendersPanel } from "./senders-panel.tsx";
import styles from "./sources-page.module.css";

export function SourcesPage() {
  const { sources, sample } = useMessages();
  const { project, projects } = useView();
  const { change } = useScope();
  const [created, setCreated] = useState<CreatedKey | null>(null);
  const own = projects.find(({ isSample }) => !isSample);
  const isAdmin = useIsAdmin();
  const isConnected = useWasConnected(project.slug);
  return (
    <div className={styles["page"]} data-connected={isConnected || undefined}>
      <h1 className="hidden">{sources.title}</h1>
      {project.isSample ? (
        <section className={styles["sample"]}>
          <p>{sources.sampleHint}</p>
          <button
            type="button"
            className={controls["primary"]}
            onClick={() => change({ project: own?.slug ?? null })}
          >
            {sample.showMine}
          </button>
        </section>
      ) : isAdmin ? (
        <ConnectPanel created={created} onCreated={setCreated} />
      ) : (
        <p>{sources.keysForAdmins}</p>
      )}
      <SendersPanel />
      {isAdmin && <KeysPanel />}
    </div>
  );
}

/** Whether events had come before this page was opened: then who sends comes first. It does not change under one's hands. */
function useWasConnected(project: string): boolean {
  const [answers, setAnswers] = useState<Readonly<Record<string, boolean>>>({});
  const { data } = useQuery(sourcesQuery({ project }, null));
  if (data !== undefined && answers[project] === undefined) {
    setAnswers({ ...answers, [project]: sumArrivals(data.sources).accepted > 0 });
  }
  return answers[project] ?? false;
}
