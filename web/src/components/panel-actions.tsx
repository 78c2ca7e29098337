import { useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { useView } from "../app/view.tsx";
import controls from "./controls.module.css";
import { CopyButton } from "./copy-button.tsx";
import { LineIcon } from "./icons.tsx";
import { Menu } from "./menu.tsx";
import styles from "./panel.module.css";
import type { Picture } from "./picture/picture.ts";
import { saveTable, toSharedUrl } from "./share-out.ts";
import type { TableData } from "./table-data.ts";

export interface PanelActionsProps {
  readonly title: string;
  readonly table: () => TableData;
  readonly picture: (() => Picture) | undefined;
  readonly asTable: boolean;
  readonly onTable: (on: boolean) => void;
}

/** The same numbers in another form: as a table, as a file, as a link. */
export function PanelActions({ title, table, picture, asTable, onTable }: PanelActionsProps) {
  const { panel } = useMessages();
  const { project, zone } = useView();
  return (
    <div className={styles["actions"]}>
      <button
        type="button"
        className={controls["quiet"]}
        aria-pressed={asTable}
        title={asTable ? panel.picture : panel.table}
        onClick={() => onTable(!asTable)}
      >
        <LineIcon name="table" />{" "}
        <span className={styles["actionText"]}>{asTable ? panel.picture : panel.table}</span>
      </button>
      <Menu
        label={panel.downloadLabel(title)}
        align="end"
        look={controls["quiet"]}
        button={
          <>
            <LineIcon name="download" /> <span className={styles["actionText"]}>{panel.download}</span>
          </>
        }
      >
        {(close) => <Files title={title} table={table} picture={picture} onSaved={close} />}
      </Menu>
      <CopyButton
        className={controls["quiet"]}
        title={panel.copyLink}
        done={panel.copied}
        text={() => toSharedUrl(location.href, project.slug, zone)}
      >
        <LineIcon name="link" /> <span className={styles["actionText"]}>{panel.copyLink}</span>
      </CopyButton>
    </div>
  );
}

type FilesProps = Pick<PanelActionsProps, "title" | "table" | "picture"> & { readonly onSaved: () => void };

function Files({ title, table, picture, onSaved }: FilesProps) {
  const { panel } = useMessages();
  const { formats } = useView();
  const [hasFailed, setFailed] = useState(false);
  const savers = {
    csv: () => saveTable(table(), "csv"),
    json: () => saveTable(table(), "json"),
    ...(picture === undefined
      ? {}
      : { svg: () => draw("svg", picture()), png: () => draw("png", picture()) }),
  };
  // What draws a file is fetched by those who want one.
  const draw = async (kind: "svg" | "png", what: Picture) =>
    (await import("./picture/save-picture.ts")).savePicture(kind, what, title, formats);
  return (
    <ul className={styles["files"]}>
      {Object.entries(savers).map(([kind, save]) => (
        <li key={kind}>
          <button
            type="button"
            className={controls["quiet"]}
            onClick={async () => {
              try {
                await save();
                onSaved();
              } catch {
                setFailed(true);
              }
            }}
          >
            {panel.files[kind as keyof typeof savers]}
          </button>
        </li>
      ))}
      {hasFailed && <li role="alert">{panel.saveFailed}</li>}
    </ul>
  );
}
