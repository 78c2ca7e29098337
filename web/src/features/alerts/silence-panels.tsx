import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { MaintenanceInput, MaintenanceWindow, Silence } from "../../../../server/contract/alert.ts";
import { toPath } from "../../api/paths.ts";
import { maintenanceQuery, silencesQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useIsAdmin, useMayWrite, useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Form, Refusal } from "../../components/form.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { TextField } from "../../components/text-field.tsx";
import { DAYS } from "../../time/week-hours.ts";
import { listTimeZones } from "../../time/zone.ts";
import styles from "./alerts.module.css";
import { nameSubject } from "./describe-alert.ts";
import { SilenceDialog } from "./silence-dialog.tsx";
import { useAlerts } from "./use-alerts.ts";

export function SilencePanels() {
  return (
    <>
      <SilencesPanel />
      <MaintenancePanel />
    </>
  );
}

function SilencesPanel() {
  const words = useAlerts();
  const { silences } = words;
  const { project, formats } = useView();
  const list = useQuery(silencesQuery(project.slug));
  const mayWrite = useMayWrite();
  const end = useChange();
  const [isMaking, setMaking] = useState(false);
  const toRow = (silence: Silence) => {
    const what =
      Object.keys(silence.where).length === 0 ? silences.everything : nameSubject(silence.where, words);
    return {
      id: silence.id,
      isOver: !silence.isActive,
      cells: [
        silence.rule === null ? what : `${what}, ${silences.ofRule(`#${silence.rule}`)}`,
        silence.isActive ? formats.dateTime(Date.parse(silence.until)) : silences.over,
        silence.reason,
        silence.by.name,
        formats.count(silence.muted),
        silence.isActive && mayWrite ? (
          <button
            key="end"
            type="button"
            className={controls["danger"]}
            aria-label={silences.endLabel(what)}
            disabled={end.isPending}
            onClick={() =>
              end.mutate({
                method: "DELETE",
                path: toPath(`/api/silences/${silence.id}`, { project: project.slug }),
              })
            }
          >
            {silences.end}
          </button>
        ) : null,
      ],
    };
  };
  return (
    <Panel
      title={silences.title}
      note={silences.note}
      state={list}
      skeleton="low"
      isEmpty={(data) => data.silences.length === 0}
      empty={silences.empty}
      controls={
        mayWrite && (
          <div className={styles["actions"]}>
            <button type="button" className={controls["button"]} onClick={() => setMaking(true)}>
              {silences.dialog(silences.everything)}
            </button>
          </div>
        )
      }
    >
      {(data) => (
        <>
          <RowsTable
            label={silences.title}
            heads={Object.values(silences.columns)}
            rows={data.silences.map(toRow)}
          />
          <Refusal error={end.error} />
          {isMaking && (
            <SilenceDialog
              name={silences.everything}
              where={{}}
              rule={null}
              onClose={() => setMaking(false)}
            />
          )}
        </>
      )}
    </Panel>
  );
}

function MaintenancePanel() {
  const words = useAlerts();
  const { maintenance, silences } = words;
  const { project, formats } = useView();
  const windows = useQuery(maintenanceQuery(project.slug));
  const isAdmin = useIsAdmin();
  const remove = useChange();
  const toRow = (window: MaintenanceWindow) => ({
    id: window.id,
    isOver: !window.isEnabled,
    cells: [
      window.name,
      maintenance.when(
        window.days.map((day) => formats.weekday(DAYS.indexOf(day), "short")).join(", "),
        window.at,
        words.when.minutes(window.lengthMinutes),
        window.zone,
      ),
      Object.keys(window.where).length === 0 ? silences.everything : nameSubject(window.where, words),
      window.isActive
        ? maintenance.active
        : window.next === null
          ? maintenance.off
          : formats.dateTime(Date.parse(window.next.from)),
      isAdmin ? (
        <button
          key="remove"
          type="button"
          className={controls["danger"]}
          aria-label={words.removeLabel(window.name)}
          disabled={remove.isPending}
          onClick={() =>
            remove.mutate({
              method: "DELETE",
              path: toPath(`/api/maintenance-windows/${window.id}`, { project: project.slug }),
            })
          }
        >
          {words.remove}
        </button>
      ) : null,
    ],
  });
  return (
    <Panel
      title={maintenance.title}
      note={maintenance.note}
      state={windows}
      skeleton="low"
      isEmpty={(data) => data.windows.length === 0}
      empty={maintenance.empty}
      controls={isAdmin && <MaintenanceForm />}
    >
      {(data) => (
        <>
          <RowsTable
            label={maintenance.title}
            heads={Object.values(maintenance.columns)}
            rows={data.windows.map(toRow)}
          />
          <Refusal error={remove.error} />
        </>
      )}
    </Panel>
  );
}

function MaintenanceForm() {
  const { maintenance } = useAlerts();
  const { project, formats } = useView();
  const empty: MaintenanceInput = {
    name: "",
    isEnabled: true,
    where: {},
    zone: project.timeZone,
    days: ["sun"],
    at: "02:00",
    lengthMinutes: 120,
  };
  const [window, setWindow] = useState(empty);
  const change = (part: Partial<MaintenanceInput>) => setWindow({ ...window, ...part });
  const make = useChange(() => setWindow(empty));
  return (
    <>
      <Form
        onSubmit={() =>
          make.mutate({
            method: "POST",
            path: toPath("/api/maintenance-windows", { project: project.slug }),
            body: window,
          })
        }
      >
        <TextField
          label={maintenance.name}
          value={window.name}
          onChange={(name) => change({ name })}
          required
          maxLength={100}
        />
        <TextField
          label={maintenance.at}
          type="time"
          value={window.at}
          onChange={(at) => change({ at })}
          required
        />
        <TextField
          label={maintenance.length}
          type="number"
          value={String(window.lengthMinutes)}
          onChange={(text) => change({ lengthMinutes: Number(text) })}
          required
        />
        <Choice
          label={maintenance.zone}
          value={window.zone}
          options={listTimeZones(window.zone).map((zone) => [zone, zone])}
          onChange={(zone) => change({ zone })}
        />
        <button
          type="submit"
          className={controls["primary"]}
          disabled={window.name.trim() === "" || window.days.length === 0 || make.isPending}
        >
          {maintenance.make}
        </button>
      </Form>
      <fieldset className={styles["checks"]}>
        <legend>{maintenance.onDays}</legend>
        {DAYS.map((day, at) => (
          <label key={day}>
            <input
              type="checkbox"
              checked={window.days.includes(day)}
              onChange={(event) =>
                change({
                  days: DAYS.filter((other) =>
                    other === day ? event.target.checked : window.days.includes(other),
                  ),
                })
              }
            />
            {formats.weekday(at, "short")}
          </label>
        ))}
      </fieldset>
      <Refusal error={make.error} />
    </>
  );
}
