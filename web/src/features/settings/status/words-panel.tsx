import type {
  StatusComponentRecord,
  StatusPageAnswer,
  StatusWord,
} from "../../../../../server/contract/status.ts";
import { toPath } from "../../../api/paths.ts";
import { useChange } from "../../../api/use-change.ts";
import { useView } from "../../../app/view.tsx";
import controls from "../../../components/controls.module.css";
import { Refusal } from "../../../components/form.tsx";
import { type Loadable, Panel } from "../../../components/panel.tsx";
import { RowsTable } from "../../../components/rows-table.tsx";
import { nameOf, WORDS } from "./draft.ts";
import { useStatus } from "./use-status.ts";

const NOTHING = "nothing";

/** What the team says of components that are not measured alone. */
export function WordsPanel({ state }: { state: Loadable<StatusPageAnswer> }) {
  const { words } = useStatus();
  const { project, formats } = useView();
  const change = useChange();
  const toRow = ({ id, name, stated }: StatusComponentRecord) => ({
    id,
    cells: [
      nameOf(name, id),
      <select
        key="state"
        className={controls["select"]}
        aria-label={words.of(nameOf(name, id))}
        value={stated?.state ?? NOTHING}
        disabled={change.isPending}
        onChange={({ target }) =>
          change.mutate({
            method: "PUT",
            path: toPath(`/api/status-page/components/${id}/word`, { project: project.slug }),
            body: { state: target.value === NOTHING ? null : (target.value as StatusWord) },
          })
        }
      >
        <option value={NOTHING}>{words.nothing}</option>
        {WORDS.map((word) => (
          <option key={word} value={word}>
            {words.states[word]}
          </option>
        ))}
      </select>,
      stated === null ? null : formats.dateTime(Date.parse(stated.since)),
    ],
  });
  return (
    <Panel title={words.title} note={words.note} state={state} skeleton="low">
      {({ components }) => (
        <>
          <RowsTable
            label={words.title}
            heads={Object.values(words.columns)}
            rows={components.filter(({ mode }) => mode !== "auto").map(toRow)}
          />
          <Refusal error={change.error} />
        </>
      )}
    </Panel>
  );
}
