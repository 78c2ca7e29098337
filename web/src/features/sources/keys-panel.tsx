import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { KeyRecord } from "../../../../server/contract/access.ts";
import { sendJson } from "../../api/client.ts";
import { toPath } from "../../api/paths.ts";
import { keysQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Dialog } from "../../components/dialog.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";

/** The project's keys; the secret of none of them. */
export function KeysPanel() {
  const { sources } = useMessages();
  const { project } = useView();
  const keys = useQuery(keysQuery(project.slug));
  const [revoking, setRevoking] = useState<KeyRecord | null>(null);
  return (
    <>
      <Panel
        title={sources.keys}
        note={sources.keysNote}
        state={keys}
        isEmpty={(data) => data.keys.length === 0}
        empty={sources.noKeys}
        skeleton="low"
      >
        {(data) => <KeyTable keys={data.keys} onRevoke={setRevoking} />}
      </Panel>
      {revoking !== null && <RevokeDialog record={revoking} onClose={() => setRevoking(null)} />}
    </>
  );
}

function KeyTable({ keys, onRevoke }: { keys: readonly KeyRecord[]; onRevoke: (key: KeyRecord) => void }) {
  const { sources } = useMessages();
  const { formats } = useView();
  const nowMs = useNow();
  const order = [...keys].sort(
    (a, b) => Number(a.revokedAt !== null) - Number(b.revokedAt !== null) || b.id - a.id,
  );
  const toRow = (key: KeyRecord) => ({
    id: key.id,
    isOver: key.revokedAt !== null,
    cells: [
      key.name,
      sources.kinds[key.kind],
      <code key="prefix">{key.prefix}…</code>,
      formats.dateTime(Date.parse(key.createdAt)),
      key.lastUsedAt === null ? sources.never : formats.ago(Date.parse(key.lastUsedAt), nowMs),
      key.revokedAt === null ? (
        <button
          key="revoke"
          type="button"
          className={controls["danger"]}
          aria-label={sources.revokeLabel(key.name)}
          onClick={() => onRevoke(key)}
        >
          {sources.revoke}
        </button>
      ) : (
        sources.revoked(formats.dateTime(Date.parse(key.revokedAt)))
      ),
    ],
  });
  return <RowsTable label={sources.keys} heads={Object.values(sources.keyColumns)} rows={order.map(toRow)} />;
}

function RevokeDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { sources, sample } = useMessages();
  const { project } = useView();
  const queries = useQueryClient();
  const revoke = useMutation({
    mutationFn: () =>
      sendJson<KeyRecord>("DELETE", toPath(`/api/keys/${record.id}`, { project: project.slug })),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: ["keys"] });
      onClose();
    },
  });
  return (
    <Dialog title={sources.revokeTitle(record.name)} closeText={sources.cancel} onClose={onClose}>
      <p>{sources.revokeText}</p>
      {revoke.isError && <p role="alert">{sample.failed(revoke.error.message)}</p>}
      <button
        type="button"
        className={controls["danger"]}
        disabled={revoke.isPending}
        onClick={() => revoke.mutate()}
      >
        {sources.revoke}
      </button>
    </Dialog>
  );
}
