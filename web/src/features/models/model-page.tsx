import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { modelsQuery } from "../../api/queries.ts";
import { ComparePicker } from "../../app/compare-picker.tsx";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Notice } from "../../components/notice.tsx";
import { OutsideRange } from "../../components/outside-range.tsx";
import { WeekPanel } from "../now/week-panel.tsx";
import { CalendarPanel } from "./calendar-panel.tsx";
import { EndpointsPanel } from "./endpoints-panel.tsx";
import { Figures } from "./figures.tsx";
import styles from "./model-page.module.css";
import { SeriesPanels } from "./series-panels.tsx";

export function ModelPage() {
  const { models } = useMessages();
  const { scope, link } = useScope();
  if (scope.target === null) {
    return (
      <Notice title={models.noTarget} isMain>
        <Link href={link("/models")}>{models.back}</Link>
      </Notice>
    );
  }
  return <Detail target={scope.target} />;
}

function Detail({ target }: { target: Target }) {
  const { models, week } = useMessages();
  const { scope, link } = useScope();
  const { project } = useView();
  const known = useQuery(modelsQuery({ project: project.slug, target }, scope.range));
  if (known.data?.models.length === 0) {
    return (
      <Notice title={models.neverCalled(nameTarget(target))} isMain>
        <Link href={link("/models", { target: null })}>{models.back}</Link>
      </Notice>
    );
  }
  const isOutside = known.data?.models.every(({ attempts }) => attempts === 0) ?? false;
  const lastSeen =
    known.data?.models.flatMap(({ lastSeen: at }) => (at === null ? [] : [Date.parse(at)])) ?? [];
  return (
    <div className={styles["page"]}>
      <header className={styles["head"]}>
        <Link href={link("/models", { target: null })} className={styles["back"]}>
          ← {models.back}
        </Link>
        <h1>{target.model}</h1>
        <p className={styles["provider"]}>{target.provider}</p>
        <div className={styles["pickers"]}>
          <EndpointPicker target={target} />
          <ComparePicker />
        </div>
      </header>
      {isOutside && lastSeen.length > 0 && <OutsideRange lastSeenMs={Math.max(...lastSeen)} days={28} />}
      <Figures target={target} />
      <CalendarPanel target={target} />
      <SeriesPanels target={target} />
      <WeekPanel targets={[target]} empty={week.empty} />
      <EndpointsPanel target={target} />
    </div>
  );
}

function EndpointPicker({ target }: { target: Target }) {
  const { models } = useMessages();
  const { change } = useScope();
  const { project } = useView();
  const whole = { ...target, endpoint: null };
  const siblings = useQuery(modelsQuery({ project: project.slug, target: whole }));
  const endpoints = siblings.data?.models.map(({ endpoint }) => endpoint) ?? [];
  const listed = [...new Set([...endpoints, ...(target.endpoint === null ? [] : [target.endpoint])])];
  return (
    <label className={controls["field"]}>
      <span>{models.endpoint}</span>
      <select
        className={controls["select"]}
        value={target.endpoint === null ? "" : `=${target.endpoint}`}
        onChange={({ target: { value } }) =>
          change({ target: { ...target, endpoint: value === "" ? null : value.slice(1) } })
        }
      >
        <option value="">{models.allEndpoints}</option>
        {listed.map((endpoint) => (
          <option key={endpoint} value={`=${endpoint}`}>
            {endpoint === "" ? models.unnamedEndpoint : endpoint}
          </option>
        ))}
      </select>
    </label>
  );
}
