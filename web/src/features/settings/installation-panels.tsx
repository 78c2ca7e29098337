import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Person } from "../../../../server/contract/people.ts";
import { usersQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Refusal, Secret } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import styles from "./settings-page.module.css";

export function InstallationPanels() {
  return (
    <>
      <EverybodyPanel />
      <SessionsPanel whose="all" />
    </>
  );
}

function EverybodyPanel() {
  const { settings } = useMessages();
  const { installation } = settings;
  const users = useQuery(usersQuery());
  const { formats } = useView();
  const nowMs = useNow();
  const [link, setLink] = useState<{ name: string; url: string } | null>(null);
  const describeRoles = useDescribeRoles();
  const toRow = (person: Person) => ({
    id: person.id,
    isOver: person.disabledAt !== null,
    cells: [
      person.name,
      person.email,
      describeRoles(person),
      person.lastSeenAt === null ? settings.never : formats.ago(Date.parse(person.lastSeenAt), nowMs),
      <PersonButtons key="buttons" person={person} onLink={(url) => setLink({ name: person.name, url })} />,
    ],
  });
  return (
    <Panel title={installation.title} note={installation.note} state={users} skeleton="middle">
      {(data) => (
        <>
          <RowsTable
            label={installation.title}
            heads={Object.values(installation.columns)}
            rows={data.users.map(toRow)}
          />
          {link !== null && <Secret text={link.url} note={installation.linkShown(link.name)} />}
        </>
      )}
    </Panel>
  );
}

function useDescribeRoles() {
  const { installation, roles } = useMessages().settings;
  return ({ isOwner, projects }: Person) => {
    const parts = [
      ...(isOwner ? [roles.owner] : []),
      ...projects.map(({ slug, role }) => `${slug}: ${roles[role]}`),
    ];
    return parts.length === 0 ? installation.nothing : installation.projects(parts);
  };
}

function PersonButtons({ person, onLink }: { person: Person; onLink: (url: string) => void }) {
  const { installation } = useMessages().settings;
  const { id, name, isOwner, disabledAt } = person;
  const link = useChange<{ url: string }>(({ url }) => onLink(url));
  const change = useChange();
  const isOut = disabledAt !== null;
  const patch = (body: unknown) => change.mutate({ method: "PATCH", path: `/api/users/${id}`, body });
  return (
    <>
      <span className={styles["buttons"]}>
        {!isOut && (
          <button
            type="button"
            className={controls["quiet"]}
            aria-label={installation.linkLabel(name)}
            disabled={link.isPending}
            onClick={() => link.mutate({ method: "POST", path: `/api/users/${id}/sign-in-links` })}
          >
            {installation.link}
          </button>
        )}
        <button
          type="button"
          className={controls["quiet"]}
          aria-label={isOwner ? installation.noOwnerLabel(name) : installation.makeOwnerLabel(name)}
          disabled={change.isPending}
          onClick={() => patch({ isOwner: !isOwner })}
        >
          {isOwner ? installation.noOwner : installation.makeOwner}
        </button>
        <button
          type="button"
          className={controls[isOut ? "quiet" : "danger"]}
          aria-label={isOut ? installation.admitLabel(name) : installation.shutLabel(name)}
          disabled={change.isPending}
          onClick={() => patch({ isDisabled: !isOut })}
        >
          {isOut ? installation.admit : installation.shut}
        </button>
      </span>
      <Refusal error={change.error ?? link.error} />
    </>
  );
}
