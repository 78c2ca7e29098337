import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { Point, PointSeries } from "../../../../server/contract/share.ts";
import { seriesQuery } from "../../api/queries.ts";
import { describeContext, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { earlierByMs, type RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { Chart } from "../../components/chart.tsx";
import { type ChartModel, formatOf } from "../../components/chart-model.ts";
import { Panel } from "../../components/panel.tsx";
import {
  hasValues,
  labelPoints,
  toCapacityChart,
  toChartTable,
  toOutcomeChart,
  toQuantileChart,
} from "./chart-series.ts";
import styles from "./series-panels.module.css";

const USUAL_RANGE: RangeChoice = { kind: "last", text: "7d" };

/** One model over time: how its attempts ended, its share, how long it took. */
export function SeriesPanels({ target }: { target: Target }) {
  const messages = useMessages();
  const { models } = messages;
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const range = scope.range ?? USUAL_RANGE;
  const where = { project: project.slug, target, zone, range };
  const series = useQuery(seriesQuery(where));
  const earlier = useEarlier(where, series.data);
  const [withOk, setWithOk] = useState(false);

  const drawn = useMemo(() => {
    if (series.data === undefined) return null;
    const { points, step } = series.data;
    const labels = labelPoints(points, step, formats);
    return {
      outcomes: toOutcomeChart(points, labels, withOk, messages),
      capacity: toCapacityChart(points, earlier, labels, scope.count, messages),
      latency: toQuantileChart(points, earlier, labels, ({ latencyMs }) => latencyMs, messages),
      firstToken: toQuantileChart(points, earlier, labels, ({ firstTokenMs }) => firstTokenMs, messages),
    };
  }, [series.data, earlier, withOk, scope.count, formats, messages]);

  const hasCalls = series.data?.points.some(({ attempts }) => attempts > 0) ?? true;
  const noteOf = (data: PointSeries | undefined) =>
    models.seriesNote(
      describeRange(range, messages, formats),
      data === undefined ? "…" : models.steps[data.step],
      zone,
    );
  const panels = [
    ["outcomes", models.outcomes, models.noFailures],
    ["capacity", models.capacity, models.tooThin],
    ["latency", models.latency, models.noTimes],
    ["firstToken", models.firstToken, models.noTimes],
  ] as const;
  return (
    <div className={styles["panels"]}>
      {panels.map(([name, title, empty]) => (
        <Panel<PointSeries>
          key={name}
          title={title}
          note={noteOf(series.data)}
          state={series}
          isEmpty={() => drawn !== null && isBlank(drawn[name])}
          empty={hasCalls ? empty : messages.week.empty}
          picture={({ points }) => ({
            kind: "chart",
            model: drawn?.[name] ?? NOTHING,
            format: formatOf(drawn?.[name] ?? NOTHING, formats),
            note: `${nameTarget(target)} · ${noteOf(series.data)}`,
            basis: messages.panel.calls(
              formats.count(points.reduce((sum, { attempts }) => sum + attempts, 0)),
            ),
          })}
          skeleton="middle"
          controls={
            name === "outcomes" && (
              <label className={styles["switch"]}>
                <input
                  type="checkbox"
                  checked={withOk}
                  onChange={(event) => setWithOk(event.target.checked)}
                />
                {models.withOk}
              </label>
            )
          }
          table={({ points, range: seen }) =>
            toChartTable(
              title,
              describeContext(project.slug, zone, seen, scope),
              points,
              drawn?.[name] ?? NOTHING,
              messages,
            )
          }
        >
          {() => drawn !== null && <Chart label={title} model={drawn[name]} />}
        </Panel>
      ))}
    </div>
  );
}

const NOTHING: ChartModel = { kind: "lines", labels: [], series: [], unit: "count", openFrom: -1 };

/** Zero is something for a share, and nothing for counts. */
const isBlank = (model: ChartModel) =>
  model.unit === "count"
    ? !hasValues(model)
    : model.series.every(({ values }) => values.every((value) => value === null));

interface Where {
  readonly project: string;
  readonly target: Target;
  readonly zone: string;
  readonly range: RangeChoice;
}

/** The points of the time that one compares with, in the same steps; `null` when one does not. */
function useEarlier(where: Where, shown: PointSeries | undefined): readonly Point[] | null {
  const { compare } = useScope().scope;
  const agoMs = earlierByMs(where.range, compare ?? "before");
  const earlier = useQuery({
    ...seriesQuery({ ...where, step: shown?.step, agoMs }),
    enabled: compare !== null && shown !== undefined,
  });
  return compare === null ? null : (earlier.data?.points ?? null);
}
