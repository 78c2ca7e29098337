import { useParams } from "wouter";
import { NotFoundPage } from "../../app/not-found-page.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import layout from "../../components/page.module.css";
import { Parts } from "../../components/parts.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import { ChannelPanels } from "./channels/channel-panels.tsx";
import { NowPanels } from "./now-panels.tsx";
import { ReportsPanel } from "./reports-panel.tsx";
import { RuleEditorPanel } from "./rules/rule-editor-panel.tsx";
import { RulesPanels } from "./rules/rules-panels.tsx";
import { SilencePanels } from "./silence-panels.tsx";
import { useAlerts } from "./use-alerts.ts";

const PARTS = ["now", "rules", "channels", "silences", "reports"] as const;
type Part = (typeof PARTS)[number];

/** What fires, by which rules, whom it is told, and what is kept quiet. */
export function AlertsPage() {
  const alerts = useAlerts();
  const { project } = useView();
  const { link } = useScope();
  const [rule] = usePageParam("rule");
  const { part = "now" } = useParams<{ part?: string }>();
  const shown = part === "rule" ? "rules" : PARTS.find((name) => name === part);
  if (shown === undefined) return <NotFoundPage />;
  return (
    <div className={layout["page"]}>
      <h1 className="hidden">{`${alerts.title}: ${alerts.parts[shown]}`}</h1>
      <Parts
        label={alerts.title}
        parts={PARTS.map((name) => ({
          name,
          text: alerts.parts[name],
          href: link(pathOf(name)),
          isCurrent: name === shown,
        }))}
      />
      <div className={layout["panels"]}>
        {part === "now" && <NowPanels />}
        {part === "rules" && <RulesPanels />}
        {part === "rule" && (
          <RuleEditorPanel key={`${project.slug} ${rule}`} id={rule === null ? null : Number(rule)} />
        )}
        {part === "channels" && <ChannelPanels />}
        {part === "silences" && <SilencePanels />}
        {part === "reports" && <ReportsPanel />}
      </div>
    </div>
  );
}

const pathOf = (part: Part) => (part === "now" ? "/alerts" : `/alerts/${part}`);
