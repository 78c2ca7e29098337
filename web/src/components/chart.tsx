import { lazy, Suspense } from "react";
import { usePreferences } from "../app/preferences.tsx";
import { useView } from "../app/view.tsx";
import styles from "./chart.module.css";
import type { ChartModel } from "./chart-model.ts";

const ChartCanvas = lazy(async () => ({ default: (await import("./chart-canvas.tsx")).ChartCanvas }));

/** Lines or bars over time. Chart.js comes with the first of them; its numbers are in the panel's table. */
export function Chart({ label, model }: { label: string; model: ChartModel }) {
  const { isDark } = usePreferences();
  const { formats } = useView();
  return (
    <figure className={styles["figure"]}>
      <div className={styles["canvas"]}>
        <Suspense fallback={null}>
          <ChartCanvas key={String(isDark)} label={label} model={model} formats={formats} />
        </Suspense>
      </div>
      <figcaption>
        <ul className={styles["legend"]}>
          {model.series.map((series) => (
            <li key={series.name}>
              <svg width="18" height="10" aria-hidden="true">
                {model.kind === "bars" ? (
                  <rect width="10" height="10" fill={`var(${series.color})`} />
                ) : (
                  <path
                    d="M0 5h18"
                    stroke={`var(${series.color})`}
                    strokeWidth="2.5"
                    strokeDasharray={series.isEarlier ? "3 3" : undefined}
                  />
                )}
              </svg>
              {series.name}
            </li>
          ))}
        </ul>
      </figcaption>
    </figure>
  );
}
