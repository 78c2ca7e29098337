import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedInvitation, Invitation, Member } from "../../../../server/contract/people.ts";
import type { MemberRole } from "../../../../server/contract/route.ts";
import { toPath } from "../../api/paths.ts";
import { invitationsQuery, membersQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal, Secret } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { TextField } from "../../components/text-field.tsx";
import styles from "./settings-page.module.css";

const ROLES: readonly MemberRole[] = ["viewer", "editor", "admin"];

export function PeoplePanels() {
  return (
    <>
      <MembersPanel />
      <InvitationsPanel />
    </>
  );
}

function MembersPanel() {
  const { settings } = useMessages();
  const { people, roles } = settings;
  const { project, formats } = useView();
  const members = useQuery(membersQuery(project.slug));
  const change = useChange();
  const pathOf = ({ id }: Member) => toPath(`/api/members/${id}`, { project: project.slug });
  const toRow = (member: Member) => ({
    id: member.id,
    isOver: member.isDisabled,
    cells: [
      member.isDisabled ? `${member.name} (${people.shutOut})` : member.name,
      member.email,
      <select
        key="role"
        aria-label={people.roleOf(member.name)}
        value={member.role}
        disabled={change.isPending}
        onChange={(event) =>
          change.mutate({ method: "PUT", path: pathOf(member), body: { role: event.target.value } })
        }
      >
        {ROLES.map((role) => (
          <option key={role} value={role}>
            {roles[role]}
          </option>
        ))}
      </select>,
      formats.day(Date.parse(member.since)),
      <button
        key="remove"
        type="button"
        className={controls["danger"]}
        aria-label={people.removeLabel(member.name)}
        disabled={change.isPending}
        onClick={() => change.mutate({ method: "DELETE", path: pathOf(member) })}
      >
        {people.remove}
      </button>,
    ],
  });
  return (
    <Panel
      title={people.title}
      note={people.note}
      state={members}
      isEmpty={(data) => data.members.length === 0}
      empty={people.empty}
      skeleton="low"
    >
      {(data) => (
        <>
          <RowsTable
            label={people.title}
            heads={Object.values(people.columns)}
            rows={data.members.map(toRow)}
          />
          <Refusal error={change.error} />
        </>
      )}
    </Panel>
  );
}

function InvitationsPanel() {
  const { settings } = useMessages();
  const { people, roles } = settings;
  const { project, formats } = useView();
  const invitations = useQuery(invitationsQuery(project.slug));
  const withdraw = useChange();
  const toRow = ({ id, note, role, expiresAt }: Invitation) => ({
    id,
    cells: [
      note === "" ? people.somebody : note,
      roles[role],
      formats.dateTime(Date.parse(expiresAt)),
      <button
        key="withdraw"
        type="button"
        className={controls["danger"]}
        aria-label={people.withdrawLabel(note === "" ? people.somebody : note)}
        disabled={withdraw.isPending}
        onClick={() =>
          withdraw.mutate({
            method: "DELETE",
            path: toPath(`/api/invitations/${id}`, { project: project.slug }),
          })
        }
      >
        {people.withdraw}
      </button>,
    ],
  });
  return (
    <Panel
      title={people.invitations}
      note={people.invitationsNote}
      state={invitations}
      skeleton="low"
      controls={<Invite />}
      isEmpty={(data) => data.invitations.length === 0}
      empty={people.noInvitations}
    >
      {(data) => (
        <>
          <RowsTable
            label={people.invitations}
            heads={Object.values(people.invitationColumns)}
            rows={data.invitations.map(toRow)}
          />
          <Refusal error={withdraw.error} />
        </>
      )}
    </Panel>
  );
}

function Invite() {
  const { settings } = useMessages();
  const { people, roles, roleHints } = settings;
  const { project } = useView();
  const [note, setNote] = useState("");
  const [role, setRole] = useState<MemberRole>("viewer");
  const [made, setMade] = useState<CreatedInvitation | null>(null);
  const create = useChange<CreatedInvitation>((invitation) => {
    setMade(invitation);
    setNote("");
  });
  return (
    <div className={styles["invite"]}>
      <Form
        onSubmit={() =>
          create.mutate({
            method: "POST",
            path: toPath("/api/invitations", { project: project.slug }),
            body: { role, note },
          })
        }
      >
        <TextField label={people.inviteFor} value={note} onChange={setNote} maxLength={100} />
        <Choice
          label={people.inviteRole}
          value={role}
          options={ROLES.map((value) => [value, `${roles[value]}: ${roleHints[value]}`])}
          onChange={(value) => setRole(value as MemberRole)}
        />
        <button type="submit" className={controls["primary"]} disabled={create.isPending}>
          {people.invite}
        </button>
      </Form>
      <Refusal error={create.error} />
      {made !== null && <Secret text={made.url} note={people.inviteShown} />}
    </div>
  );
}
