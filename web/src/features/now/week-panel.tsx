import { useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense } from "react";
import type { Heatmap } from "../../../../server/contract/share.ts";
import { heatmapQuery, nowQuery } from "../../api/queries.ts";
import { describeContext, isSameTarget, isWithin, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { earlierByMs, type RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { PHONE, useMedia, useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { findCell, transposeGrid } from "../../components/grid-model.ts";
import { HeatGrid, HeatLegend } from "../../components/heat-grid.tsx";
import { NoCalls } from "../../components/no-calls.tsx";
import { Panel } from "../../components/panel.tsx";
import { Segments } from "../../components/segments.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import { hourOfWeekAt } from "../../time/zone.ts";
import { listOccurrences } from "../hours/occurrences.ts";
import { forecastEnough } from "./forecast.ts";
import { toWeekGrid, toWeekTable } from "./week-grid.ts";
import styles from "./week-panel.module.css";

const HOUR_MS = 3_600_000;
const HourDrawer = lazy(async () => ({
  default: (await import("../hours/hour-drawer.tsx")).HourDrawer,
}));

const USUAL_RANGE: RangeChoice = { kind: "last", text: "28d" };

export interface WeekPanelProps {
  readonly targets: readonly Target[];
  /** What stands there without calls; an offer of a range that has some, unless told otherwise. */
  readonly empty?: ReactNode;
  /** Hours of the week that are outlined, and what that means. */
  readonly marks?: { readonly hours: ReadonlySet<number>; readonly text: string } | undefined;
}

/** The busy-hours grid: when there was no room, by hour of the week. */
export function WeekPanel({ targets, empty, marks }: WeekPanelProps) {
  const messages = useMessages();
  const { week } = messages;
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const { target, count, range, compare } = scope;
  const isPhone = useMedia(PHONE);
  const nowMs = useNow();
  const nowHour = hourOfWeekAt(nowMs, zone);
  const [openHour, setOpenHour] = usePageParam("hour");
  const question = { project: project.slug, target, zone, count, range };
  const heatmap = useQuery(heatmapQuery(question));
  const shown = range ?? USUAL_RANGE;
  const earlier = useQuery({
    ...heatmapQuery({ ...question, range: shown, agoMs: earlierByMs(shown, compare ?? "before") }),
    enabled: compare !== null,
  });
  const before = compare === null ? null : (earlier.data?.cells ?? null);
  const gridOf = ({ cells }: Heatmap) =>
    toWeekGrid(cells, nowHour, formats, before, (hour) => (marks?.hours.has(hour) ? marks.text : undefined));
  const note = week.note(describeRange(range, messages, formats, week.usualRange), zone);
  return (
    <Panel
      title={week.title}
      note={note}
      state={heatmap}
      isEmpty={({ cells }) => cells.every(({ state }) => state === "none")}
      empty={empty ?? <NoCalls target={target} days={28} />}
      skeleton="middle"
      controls={<WeekControls targets={targets} />}
      table={({ cells, range: seen }) =>
        toWeekTable(cells, describeContext(project.slug, zone, seen, scope), messages, formats, before)
      }
      picture={(data) => ({
        kind: "grid",
        grid: gridOf(data),
        legend: [...week.legendSteps, week.legendFew, week.legendNone],
        note: [target === null ? messages.now.allModels : nameTarget(target), note].join(" · "),
        basis: messages.panel.calls(formats.count(data.cells.reduce((sum, { n }) => sum + n, 0))),
      })}
    >
      {(data) => {
        const grid = gridOf(data);
        const open = findCell(grid, openHour);
        return (
          <>
            <HeatGrid
              caption={week.title}
              grid={isPhone ? transposeGrid(grid) : grid}
              onOpen={({ id }) => setOpenHour(id)}
            />
            <HeatLegend mark={marks?.text} />
            <Thin heatmap={data} nowHour={nowHour} nowMs={nowMs} />
            {open !== null && (
              <Suspense fallback={null}>
                <HourDrawer
                  of={open}
                  target={target}
                  occurrences={listOccurrences(Number(open.id), toRange(data.range), zone)}
                  onClose={() => setOpenHour(null)}
                />
              </Suspense>
            )}
          </>
        );
      }}
    </Panel>
  );
}

const toRange = ({ from, to }: Heatmap["range"]) => ({ fromMs: Date.parse(from), toMs: Date.parse(to) });

interface ThinProps {
  readonly heatmap: Heatmap;
  readonly nowHour: number;
  readonly nowMs: number;
}

/** For a grid that says little yet: why, and when it will say more. */
function Thin({ heatmap: { cells, range }, nowHour, nowMs }: ThinProps) {
  const { week } = useMessages();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const { target, count } = scope;
  const now = useQuery(nowQuery({ project: project.slug, zone, count }));
  const isThin = cells.filter(({ state }) => state === "enough").length < cells.length / 2;
  if (!isThin) return null;
  const { fromMs, toMs } = toRange(range);
  const firstSeen = (now.data?.targets ?? [])
    .filter((one) => target === null || isWithin(one, target))
    .flatMap((one) => (one.firstSeen === null ? [] : [Date.parse(one.firstSeen)]));
  // A range that is over gets no more calls.
  const goesOn = toMs >= nowMs - HOUR_MS && firstSeen.length > 0;
  const forecast = goesOn
    ? forecastEnough(cells, Math.min(...firstSeen), toMs - fromMs, nowHour, nowMs)
    : null;
  return (
    <p className={styles["thin"]}>
      {week.thin}{" "}
      {forecast?.kind === "by" &&
        week.thinBy(formats.rate(forecast.perHour), formats.dateTime(forecast.atMs))}
      {forecast?.kind === "never" &&
        week.thinNever(formats.rate(forecast.perHour), forecast.reachable, target === null)}
    </p>
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
