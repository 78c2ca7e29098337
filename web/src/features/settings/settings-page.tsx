import type { ReactNode } from "react";
import { useParams } from "wouter";
import type { Role } from "../../../../server/contract/route.ts";
import { NotFoundPage } from "../../app/not-found-page.tsx";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import layout from "../../components/page.module.css";
import { Parts } from "../../components/parts.tsx";
import { AccountPanels } from "./account-panels.tsx";
import { AuditPanel } from "./audit-panel.tsx";
import { InstallationPanels } from "./installation-panels.tsx";
import { KeyPanels } from "./key-panels.tsx";
import { PeoplePanels } from "./people-panels.tsx";
import { ProjectPanels } from "./project-panels.tsx";
import { StatusPanels } from "./status/status-panels.tsx";

type PartName = "account" | "project" | "people" | "keys" | "status" | "audit" | "installation";

interface Part {
  readonly name: PartName;
  readonly for: readonly Role[];
  readonly render: () => ReactNode;
}

const ADMINS: readonly Role[] = ["admin", "owner"];
const PARTS: readonly Part[] = [
  { name: "account", for: ["viewer", "editor", "admin", "owner"], render: () => <AccountPanels /> },
  { name: "project", for: ADMINS, render: () => <ProjectPanels /> },
  { name: "people", for: ADMINS, render: () => <PeoplePanels /> },
  { name: "keys", for: ADMINS, render: () => <KeyPanels /> },
  { name: "status", for: ["editor", ...ADMINS], render: () => <StatusPanels /> },
  { name: "audit", for: ADMINS, render: () => <AuditPanel /> },
  { name: "installation", for: ["owner"], render: () => <InstallationPanels /> },
];

export function SettingsPage() {
  const { settings } = useMessages();
  const { project } = useView();
  const { link } = useScope();
  const { part = "account" } = useParams<{ part?: string }>();
  const chosen = PARTS.find(({ name }) => name === part);
  if (chosen === undefined) return <NotFoundPage />;
  const visible = PARTS.filter((one) => one.for.includes(project.role));
  return (
    <div className={layout["page"]}>
      <h1 className="hidden">{`${settings.title}: ${settings.parts[chosen.name]}`}</h1>
      <Parts
        label={settings.title}
        parts={visible.map(({ name }) => ({
          name,
          text: settings.parts[name],
          href: link(name === "account" ? "/settings" : `/settings/${name}`),
          isCurrent: name === chosen.name,
        }))}
      />
      <div className={layout["panels"]}>
        {visible.includes(chosen) ? chosen.render() : <p className={layout["soft"]}>{settings.adminsOnly}</p>}
      </div>
    </div>
  );
}
