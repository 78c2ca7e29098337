import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { Calendar } from "../../../../server/contract/share.ts";
import { calendarQuery } from "../../api/queries.ts";
import { describeContext, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { DAY_MS, earlierByMs, type RangeChoice, resolveRange } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { PHONE, useMedia, useNow, useView } from "../../app/view.tsx";
import { findCell, transposeGrid } from "../../components/grid-model.ts";
import { HeatGrid, HeatLegend } from "../../components/heat-grid.tsx";
import { Panel } from "../../components/panel.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import { listWeeksBefore } from "../hours/occurrences.ts";
import { listClockChanges, lookBack, toCalendarGrid, toCalendarTable } from "./calendar-grid.ts";
import styles from "./calendar-panel.module.css";

const HourDrawer = lazy(async () => ({
  default: (await import("../hours/hour-drawer.tsx")).HourDrawer,
}));

/** So many earlier weeks an hour is shown beside. */
const WEEKS_BEFORE = 4;
const USUAL_RANGE: RangeChoice = { kind: "last", text: "28d" };
/** More cells than these are slow to point at, and smaller than a finger. */
const MAX_DAYS = 90;

/** The range, or its last 90 days. */
function limitRange(range: RangeChoice): RangeChoice {
  const { fromMs, toMs } = resolveRange(range, Date.now());
  if (toMs - fromMs <= MAX_DAYS * DAY_MS) return range;
  return range.kind === "last"
    ? { kind: "last", text: `${MAX_DAYS}d` }
    : { kind: "between", fromMs: toMs - MAX_DAYS * DAY_MS, toMs };
}

const hourFrom = (fromMs: number) => ({ fromMs, toMs: fromMs + 3_600_000 });

const countCalls = (days: Calendar["days"]) =>
  days.reduce((sum, { hours }) => sum + hours.reduce((calls, { n }) => calls + n, 0), 0);

/** One model over its days: a row per date, a column per hour. */
export function CalendarPanel({ target }: { target: Target }) {
  const messages = useMessages();
  const { models } = messages;
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const isPhone = useMedia(PHONE);
  const nowMs = useNow();
  const range = limitRange(scope.range ?? USUAL_RANGE);
  const [openAt, setOpenAt] = usePageParam("at");
  const question = { project: project.slug, target, zone, count: scope.count, range };
  const calendar = useQuery(calendarQuery(question));
  const agoMs = earlierByMs(range, scope.compare ?? "before");
  // Hours are compared by the wall clock: what is not whole days earlier has other hours.
  const canCompare = scope.compare !== null && agoMs % DAY_MS === 0;
  const earlier = useQuery({ ...calendarQuery({ ...question, agoMs }), enabled: canCompare });
  const beforeOf = canCompare && earlier.data !== undefined ? lookBack(earlier.data.days, agoMs) : undefined;
  const note = models.calendarNote(describeRange(range, messages, formats), zone);
  return (
    <Panel
      title={models.calendar}
      note={note}
      state={calendar}
      isEmpty={({ days }) => days.every(({ hours }) => hours.every(({ state }) => state === "none"))}
      empty={messages.week.empty}
      skeleton="high"
      table={(data) =>
        toCalendarTable(
          data,
          describeContext(project.slug, zone, data.range, scope),
          nowMs,
          messages,
          beforeOf ?? null,
        )
      }
      picture={({ days }) => ({
        kind: "grid",
        grid: toCalendarGrid(days, nowMs, formats),
        legend: [...messages.week.legendSteps, messages.week.legendFew, messages.week.legendNone],
        note: `${nameTarget(target)} · ${note}`,
        basis: messages.panel.calls(formats.count(countCalls(days))),
      })}
    >
      {({ days }) => {
        const grid = toCalendarGrid(days, nowMs, formats, beforeOf);
        const open = findCell(grid, openAt);
        const changes = listClockChanges(days);
        return (
          <>
            <HeatGrid
              caption={models.calendar}
              grid={isPhone ? transposeGrid(grid) : grid}
              density="tight"
              isWide={isPhone}
              onOpen={({ id }) => setOpenAt(id)}
            />
            <HeatLegend />
            {changes.length > 0 && (
              <p className={styles["note"]}>
                {models.clockChanges(changes.map((date) => formats.date(date)))}
              </p>
            )}
            {open !== null && (
              <Suspense fallback={null}>
                <HourDrawer
                  of={open}
                  target={target}
                  occurrences={[hourFrom(Date.parse(open.id))]}
                  others={listWeeksBefore(Date.parse(open.id), WEEKS_BEFORE, zone)}
                  onClose={() => setOpenAt(null)}
                />
              </Suspense>
            )}
          </>
        );
      }}
    </Panel>
  );
}
