import { useInfiniteQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { AuditEntry } from "../../../../server/contract/audit.ts";
import { auditQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Form } from "../../components/form.tsx";
import { MoreButton } from "../../components/more-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { Segments } from "../../components/segments.tsx";
import { TextField } from "../../components/text-field.tsx";
import { listFieldChanges } from "./audit-change.ts";
import styles from "./settings-page.module.css";

type Place = "here" | "everywhere";

export function AuditPanel() {
  const { settings } = useMessages();
  const words = settings.audit;
  const { project } = useView();
  const [place, setPlace] = useState<Place>("here");
  const [text, setText] = useState("");
  const [action, setAction] = useState("");
  const isEverywhere = place === "everywhere" && project.role === "owner";
  const log = useInfiniteQuery(
    auditQuery({
      project: isEverywhere ? null : project.slug,
      q: text.trim() === "" ? null : text.trim(),
      action: action === "" ? null : action,
    }),
  );
  const entries = (data: NonNullable<typeof log.data>) => data.pages.flatMap((page) => page.entries);
  return (
    <Panel
      title={words.title}
      note={words.note}
      state={log}
      isEmpty={(data) => entries(data).length === 0}
      empty={words.empty}
      skeleton="high"
      controls={
        <Form onSubmit={() => log.refetch()}>
          <TextField
            label={words.search}
            hint={words.searchHint}
            type="search"
            value={text}
            onChange={setText}
            maxLength={100}
          />
          <Choice
            label={words.action}
            value={action}
            options={[["", words.all], ...Object.entries(words.actions)]}
            onChange={setAction}
          />
          {project.role === "owner" && (
            <div className={controls["field"]}>
              <span>{words.where}</span>
              <Segments
                label={words.where}
                value={place}
                options={[
                  { value: "here", text: words.here },
                  { value: "everywhere", text: words.everywhere },
                ]}
                onChange={setPlace}
              />
            </div>
          )}
        </Form>
      }
    >
      {(data) => (
        <>
          <AuditTable entries={entries(data)} isEverywhere={isEverywhere} />
          <MoreButton of={log} text={words.more} />
        </>
      )}
    </Panel>
  );
}

function AuditTable({ entries, isEverywhere }: { entries: readonly AuditEntry[]; isEverywhere: boolean }) {
  const words = useMessages().settings.audit;
  const { formats } = useView();
  const { columns } = words;
  const heads = [columns.at, columns.who, columns.what, columns.change];
  const toRow = (entry: AuditEntry) => ({
    id: entry.id,
    cells: [
      formats.dateTime(Date.parse(entry.at)),
      ...(isEverywhere ? [entry.project ?? words.installation] : []),
      entry.actor.kind === "key" ? words.byKey(entry.actor.name) : entry.actor.name,
      <span key="what">
        {words.actions[entry.action]}: {entry.subject.name}
      </span>,
      <Change key="change" entry={entry} />,
    ],
  });
  return (
    <RowsTable
      label={words.title}
      heads={isEverywhere ? [columns.at, words.where, ...heads.slice(1)] : heads}
      rows={entries.map(toRow)}
    />
  );
}

function Change({ entry: { before, after } }: { entry: AuditEntry }) {
  return (
    <dl className={styles["change"]}>
      {listFieldChanges(before, after).map((field) => (
        <div key={field.name} className={styles["field"]}>
          <dt>{field.name}</dt>
          <dd>
            {field.before !== null && <del>{field.before}</del>}
            {field.before !== null && field.after !== null && " → "}
            {field.after !== null && <ins>{field.after}</ins>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
