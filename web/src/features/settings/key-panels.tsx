import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { CreatedKey, KeyRecord } from "../../../../server/contract/access.ts";
import { toPath } from "../../api/paths.ts";
import { keysQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useNow, useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Dialog } from "../../components/dialog.tsx";
import { Refusal, Secret } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { NewKeyPanel } from "./new-key-panel.tsx";
import styles from "./settings-page.module.css";

/** What one is about to do with a key. */
interface Asked {
  readonly what: "rotate" | "revoke";
  readonly key: KeyRecord;
}

export function KeyPanels() {
  const { sources } = useMessages();
  const { project } = useView();
  const keys = useQuery(keysQuery(project.slug));
  const [made, setMade] = useState<CreatedKey | null>(null);
  const [asked, setAsked] = useState<Asked | null>(null);
  const close = () => setAsked(null);
  return (
    <>
      <NewKeyPanel onMade={setMade} />
      {made !== null && <Secret text={made.key} note={sources.shownOnce} />}
      <Panel
        title={sources.keys}
        note={sources.keysNote}
        state={keys}
        isEmpty={(data) => data.keys.length === 0}
        empty={sources.noKeys}
        skeleton="middle"
      >
        {(data) => <KeyTable keys={data.keys} onAsk={setAsked} />}
      </Panel>
      {asked?.what === "rotate" && <RotateDialog record={asked.key} onMade={setMade} onClose={close} />}
      {asked?.what === "revoke" && <RevokeDialog record={asked.key} onClose={close} />}
    </>
  );
}

function KeyTable({ keys, onAsk }: { keys: readonly KeyRecord[]; onAsk: (asked: Asked) => void }) {
  const { settings, sources } = useMessages();
  const words = settings.keys;
  const { formats } = useView();
  const nowMs = useNow();
  const isOver = ({ revokedAt, expiresAt }: KeyRecord) =>
    revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= nowMs);
  const until = ({ revokedAt, expiresAt, replacedBy }: KeyRecord) => {
    if (revokedAt !== null) return words.revoked(formats.dateTime(Date.parse(revokedAt)));
    if (expiresAt === null) return null;
    const when = formats.dateTime(Date.parse(expiresAt));
    const text = Date.parse(expiresAt) <= nowMs ? words.expired(when) : when;
    return replacedBy === null ? text : `${text} (${words.replaced})`;
  };
  const order = [...keys].sort((a, b) => Number(isOver(a)) - Number(isOver(b)) || b.id - a.id);
  const toRow = (key: KeyRecord) => ({
    id: key.id,
    isOver: isOver(key),
    cells: [
      key.name,
      key.scopes === null ? words.kinds[key.kind] : key.scopes.map((scope) => words.scope[scope]).join(" · "),
      <code key="prefix">{key.prefix}…</code>,
      key.eventsPerMinute === null ? null : words.perMinute(formats.count(key.eventsPerMinute)),
      until(key),
      key.lastUsedAt === null ? sources.never : formats.ago(Date.parse(key.lastUsedAt), nowMs),
      isOver(key) ? null : (
        <span key="buttons" className={styles["buttons"]}>
          {key.replacedBy === null && (
            <button
              type="button"
              className={controls["quiet"]}
              aria-label={words.rotateLabel(key.name)}
              onClick={() => onAsk({ what: "rotate", key })}
            >
              {words.rotate}
            </button>
          )}
          <button
            type="button"
            className={controls["danger"]}
            aria-label={words.revokeLabel(key.name)}
            onClick={() => onAsk({ what: "revoke", key })}
          >
            {words.revoke}
          </button>
        </span>
      ),
    ],
  });
  return <RowsTable label={sources.keys} heads={Object.values(words.columns)} rows={order.map(toRow)} />;
}

const OVERLAPS = ["0", "1", "24", "168"] as const;
type Overlap = (typeof OVERLAPS)[number];

interface RotateProps {
  readonly record: KeyRecord;
  readonly onMade: (key: CreatedKey) => void;
  readonly onClose: () => void;
}

function RotateDialog({ record, onMade, onClose }: RotateProps) {
  const { settings } = useMessages();
  const words = settings.keys;
  const { project } = useView();
  const [overlap, setOverlap] = useState<Overlap>("24");
  const rotate = useChange<CreatedKey>((made) => {
    onMade(made);
    onClose();
  });
  return (
    <Dialog title={words.rotateTitle(record.name)} closeText={settings.cancel} onClose={onClose}>
      <p>{words.rotateText}</p>
      <Choice
        label={words.overlap}
        value={overlap}
        options={OVERLAPS.map((value) => [value, words.overlaps[value]])}
        onChange={(value) => setOverlap(value as Overlap)}
      />
      <Refusal error={rotate.error} />
      <button
        type="button"
        className={controls["primary"]}
        disabled={rotate.isPending}
        onClick={() =>
          rotate.mutate({
            method: "POST",
            path: toPath(`/api/keys/${record.id}/rotations`, { project: project.slug }),
            body: { overlapHours: Number(overlap) },
          })
        }
      >
        {words.rotate}
      </button>
    </Dialog>
  );
}

function RevokeDialog({ record, onClose }: { record: KeyRecord; onClose: () => void }) {
  const { settings } = useMessages();
  const words = settings.keys;
  const { project } = useView();
  const revoke = useChange(onClose);
  return (
    <Dialog title={words.revokeTitle(record.name)} closeText={settings.cancel} onClose={onClose}>
      <p>{words.revokeText}</p>
      <Refusal error={revoke.error} />
      <button
        type="button"
        className={controls["danger"]}
        disabled={revoke.isPending}
        onClick={() =>
          revoke.mutate({
            method: "DELETE",
            path: toPath(`/api/keys/${record.id}`, { project: project.slug }),
          })
        }
      >
        {words.revoke}
      </button>
    </Dialog>
  );
}
