import { useQuery } from "@tanstack/react-query";
import { heatmapQuery } from "../../api/queries.ts";
import { describeContext, isSameTarget, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { PHONE, useMedia, useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { transposeGrid } from "../../components/grid-model.ts";
import { HeatGrid, HeatLegend } from "../../components/heat-grid.tsx";
import { Panel } from "../../components/panel.tsx";
import { Segments } from "../../components/segments.tsx";
import { hourOfWeekAt } from "../../time/zone.ts";
import { toWeekGrid, toWeekTable } from "./week-grid.ts";
import styles from "./week-panel.module.css";

/** The busy-hours grid: when there was no room, by hour of the week. */
export function WeekPanel({ targets }: { targets: readonly Target[] }) {
  const messages = useMessages();
  const { week } = messages;
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const { target, count, range } = scope;
  const isPhone = useMedia(PHONE);
  const nowMs = useNow();
  const heatmap = useQuery(heatmapQuery({ project: project.slug, target, zone, count, range }));
  return (
    <Panel
      title={week.title}
      note={week.note(describeRange(range, messages, formats, week.usualRange), zone)}
      state={heatmap}
      isEmpty={({ cells }) => cells.every(({ state }) => state === "none")}
      empty={week.empty}
      skeleton="middle"
      controls={<WeekControls targets={targets} />}
      table={({ cells, range: seen }) =>
        toWeekTable(cells, describeContext(project.slug, zone, seen, scope), messages, formats)
      }
    >
      {({ cells }) => {
        const grid = toWeekGrid(cells, hourOfWeekAt(nowMs, zone), formats);
        const isThin = cells.filter(({ state }) => state === "enough").length < cells.length / 2;
        return (
          <>
            <HeatGrid caption={week.title} grid={isPhone ? transposeGrid(grid) : grid} />
            <HeatLegend />
            {isThin && <p className={styles["thin"]}>{week.thin}</p>}
          </>
        );
      }}
    </Panel>
  );
}

function WeekControls({ targets }: { targets: readonly Target[] }) {
  const { week, now, count } = useMessages();
  const { scope, change } = useScope();
  const picked = targets.findIndex((target) => isSameTarget(target, scope.target));
  return (
    <div className={styles["controls"]}>
      <label className={styles["chooser"]}>
        <span className="hidden">{week.chooser}</span>
        <select
          className={controls["select"]}
          value={picked}
          onChange={(event) =>
            change({ target: targets[Number(event.target.value)] ?? null }, { replace: true })
          }
        >
          <option value={-1}>{now.allModels}</option>
          {targets.map((target, i) => (
            <option key={`${target.provider}\n${nameTarget(target)}`} value={i}>
              {nameTarget(target)}
            </option>
          ))}
        </select>
      </label>
      <Segments
        label={count.label}
        value={scope.count}
        options={[
          { value: "attempts", text: count.attempts, hint: count.attemptsHint },
          { value: "requests", text: count.requests, hint: count.requestsHint },
        ]}
        onChange={(value) => change({ count: value }, { replace: true })}
      />
      <p className={styles["hint"]}>{scope.count === "attempts" ? count.attemptsHint : count.requestsHint}</p>
    </div>
  );
}
