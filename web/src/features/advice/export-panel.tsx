import { useQuery } from "@tanstack/react-query";
import type { ExportAnswer, ExportFormat } from "../../../../server/contract/exports.ts";
import { exportQuery } from "../../api/queries.ts";
import { useMessages, usePreferences } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { CopyButton } from "../../components/copy-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { ScrollBox } from "../../components/scroll-box.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import styles from "./export-panel.module.css";
import type { Wish } from "./wish.tsx";

const FORMATS: readonly ExportFormat[] = [
  "crontab",
  "kubernetes",
  "litellm",
  "portkey",
  "openrouter",
  "vercel",
  "json",
];

/** Advice and plan as files for timers and other gateways, with what these cannot say. */
export function ExportPanel({ wish }: { wish: Wish }) {
  const { exports } = useMessages().advice;
  const { language } = usePreferences();
  const { project, zone } = useView();
  const [chosen, setChosen] = usePageParam("format");
  const format = FORMATS.find((one) => one === chosen) ?? "crontab";
  const file = useQuery(exportQuery({ project: project.slug, zone, ...wish, format, locale: language }));
  // What was shown of another format must not stand under this one's name.
  const state = { ...file, data: file.data?.format === format ? file.data : undefined };
  return (
    <Panel<ExportAnswer>
      title={exports.title}
      note={exports.note}
      state={state}
      skeleton="low"
      controls={
        <label className={styles["chooser"]}>
          <span className="hidden">{exports.format}</span>
          <select
            className={controls["select"]}
            value={format}
            onChange={(event) => setChosen(event.target.value === "crontab" ? null : event.target.value)}
          >
            {FORMATS.map((one) => (
              <option key={one} value={one}>
                {exports.formats[one]}
              </option>
            ))}
          </select>
        </label>
      }
    >
      {({ content, fileName, losses }) => (
        <div className={styles["file"]}>
          <div className={styles["head"]}>
            <code>{fileName}</code>
            <CopyButton className={controls["button"]} text={() => content} done={exports.copied}>
              {exports.copy}
            </CopyButton>
          </div>
          <ScrollBox label={exports.file} isLow>
            <pre className={styles["content"]}>{content}</pre>
          </ScrollBox>
          {losses.length > 0 && (
            <>
              <h3>{exports.losses}</h3>
              <ul className={styles["losses"]}>
                {losses.map(({ loss, says }) => (
                  <li key={loss}>{says}</li>
                ))}
              </ul>
            </>
          )}
        </div>
      )}
    </Panel>
  );
}
