import { useQuery } from "@tanstack/react-query";
import { statusNotesQuery, statusPageQuery } from "../../../api/queries.ts";
import { useView } from "../../../app/view.tsx";
import layout from "../../../components/page.module.css";
import { Panel } from "../../../components/panel.tsx";
import { NewNotePanel } from "./new-note-panel.tsx";
import { NotesPanel } from "./notes-panel.tsx";
import { PageForm, PageState } from "./page-form.tsx";
import { useStatus } from "./use-status.ts";
import { WordsPanel } from "./words-panel.tsx";

/** What strangers may see, and what the team writes for them. */
export function StatusPanels() {
  const words = useStatus();
  const { project } = useView();
  const page = useQuery(statusPageQuery(project.slug));
  const notes = useQuery(statusNotesQuery(project.slug));
  const isAdmin = project.role === "admin" || project.role === "owner";
  const components = page.data?.components ?? [];
  return (
    <>
      <Panel title={words.page.title} state={page} skeleton="middle">
        {(data) => (
          <>
            <PageState answer={data} />
            {isAdmin ? (
              // Begun anew when what is stored has become another, and not when it was only asked for again.
              <PageForm
                key={JSON.stringify([data.page, data.components.map(({ stated: _, ...one }) => one)])}
                answer={data}
              />
            ) : (
              <p className={layout["soft"]}>{words.page.readOnly}</p>
            )}
          </>
        )}
      </Panel>
      {components.some(({ mode }) => mode !== "auto") && <WordsPanel state={page} />}
      {page.data?.page.isSaved === true && <NewNotePanel state={page} />}
      <NotesPanel state={notes} components={components} />
    </>
  );
}
