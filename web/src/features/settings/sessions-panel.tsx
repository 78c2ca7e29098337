import { useQuery } from "@tanstack/react-query";
import type { SessionRecord } from "../../../../server/contract/people.ts";
import { sessionsQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Refusal } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";

/** Open sessions: one's own, or for owners those of everybody. */
export function SessionsPanel({ whose }: { whose: "mine" | "all" }) {
  const { settings } = useMessages();
  const { sessions: words, never } = settings;
  const { formats } = useView();
  const nowMs = useNow();
  const sessions = useQuery(sessionsQuery(whose));
  const end = useChange();
  const { columns } = words;
  const isAll = whose === "all";
  const seen = ({ lastSeenAt }: SessionRecord) =>
    lastSeenAt === null ? never : formats.ago(Date.parse(lastSeenAt), nowMs);
  const toRow = (session: SessionRecord) => {
    const device = session.device === "" ? words.unknownDevice : session.device;
    return {
      id: session.id,
      cells: [
        ...(isAll ? [session.user.name] : []),
        device,
        words.via[session.via],
        seen(session),
        session.isThis ? (
          words.isThis
        ) : (
          <button
            key="end"
            type="button"
            className={controls["danger"]}
            aria-label={words.endLabel(device, seen(session))}
            disabled={end.isPending}
            onClick={() =>
              end.mutate({
                method: "DELETE",
                path: `${isAll ? "/api/sessions" : "/api/me/sessions"}/${session.id}`,
              })
            }
          >
            {words.end}
          </button>
        ),
      ],
    };
  };
  const heads = [columns.device, columns.via, columns.seen, columns.action];
  return (
    <Panel
      title={isAll ? words.allTitle : words.title}
      note={isAll ? words.allNote : words.note}
      state={sessions}
      isEmpty={(data) => data.sessions.length === 0}
      empty={words.empty}
      skeleton="low"
    >
      {(data) => (
        <>
          <RowsTable
            label={isAll ? words.allTitle : words.title}
            heads={isAll ? [columns.person, ...heads] : heads}
            rows={data.sessions.map(toRow)}
          />
          <Refusal error={end.error} />
        </>
      )}
    </Panel>
  );
}
