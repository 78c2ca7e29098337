import { useParams } from "wouter";
import { NotFoundPage } from "../../app/not-found-page.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import layout from "../../components/page.module.css";
import { Parts } from "../../components/parts.tsx";
import { EditorPage } from "./editor/editor-page.tsx";
import { ForcePanel } from "./force-panel.tsx";
import { RehearsalsPanel } from "./rehearsals-panel.tsx";
import { RoutersPanel } from "./routers-panel.tsx";
import { useRouting } from "./use-routing.ts";
import { VersionPanels } from "./version-panels.tsx";
import { VersionsPanel } from "./versions-panel.tsx";

const PARTS = ["plan", "edit", "rehearsals"] as const;
type Part = (typeof PARTS)[number];

/** Which model is asked first, when, by whose decision, and which routers obey it. */
export function RoutingPage() {
  const routing = useRouting();
  const { project } = useView();
  const { link } = useScope();
  const { part = "plan" } = useParams<{ part?: string }>();
  const shown = part === "version" ? "plan" : PARTS.find((name) => name === part);
  if (shown === undefined) return <NotFoundPage />;
  return (
    <div className={layout["page"]}>
      <h1 className="hidden">{`${routing.title}: ${routing.parts[shown]}`}</h1>
      <Parts
        label={routing.title}
        parts={PARTS.map((name) => ({
          name,
          text: routing.parts[name],
          href: link(pathOf(name)),
          isCurrent: name === shown,
        }))}
      />
      <div className={layout["panels"]}>
        {part === "plan" && (
          <>
            <ForcePanel />
            <RoutersPanel />
            <VersionsPanel />
          </>
        )}
        {part === "version" && <VersionPanels />}
        {part === "edit" && <EditorPage key={project.slug} />}
        {part === "rehearsals" && <RehearsalsPanel />}
      </div>
    </div>
  );
}

const pathOf = (part: Part) => (part === "plan" ? "/routing" : `/routing/${part}`);
