import { useQuery } from "@tanstack/react-query";
import { calendarQuery } from "../../api/queries.ts";
import { describeContext } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { DAY_MS, type RangeChoice, resolveRange } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { PHONE, useMedia, useNow, useView } from "../../app/view.tsx";
import { transposeGrid } from "../../components/grid-model.ts";
import { HeatGrid, HeatLegend } from "../../components/heat-grid.tsx";
import { Panel } from "../../components/panel.tsx";
import { listClockChanges, toCalendarGrid, toCalendarTable } from "./calendar-grid.ts";
import styles from "./calendar-panel.module.css";

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

/** One model over its days: a row per date, a column per hour. */
export function CalendarPanel({ target }: { target: Target }) {
  const messages = useMessages();
  const { models } = messages;
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const isPhone = useMedia(PHONE);
  const nowMs = useNow();
  const range = limitRange(scope.range ?? USUAL_RANGE);
  const calendar = useQuery(
    calendarQuery({ project: project.slug, target, zone, count: scope.count, range }),
  );
  return (
    <Panel
      title={models.calendar}
      note={models.calendarNote(describeRange(range, messages, formats), zone)}
      state={calendar}
      isEmpty={({ days }) => days.every(({ hours }) => hours.every(({ state }) => state === "none"))}
      empty={messages.week.empty}
      skeleton="high"
      table={(data) =>
        toCalendarTable(data, describeContext(project.slug, zone, data.range, scope), nowMs, messages)
      }
    >
      {({ days }) => {
        const grid = toCalendarGrid(days, nowMs, formats);
        const changes = listClockChanges(days);
        return (
          <>
            <HeatGrid
              caption={models.calendar}
              grid={isPhone ? transposeGrid(grid) : grid}
              density="tight"
              isWide={isPhone}
            />
            <HeatLegend />
            {changes.length > 0 && (
              <p className={styles["note"]}>
                {models.clockChanges(changes.map((date) => formats.date(date)))}
              </p>
            )}
          </>
        );
      }}
    </Panel>
  );
}
