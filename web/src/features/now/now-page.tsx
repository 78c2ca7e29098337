import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { heatmapQuery, modelsQuery, overviewQuery } from "../../api/queries.ts";
import { isSameTarget, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { type Target, useScope } from "../../app/scope.ts";
import { PHONE, useMedia, useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { NothingHere } from "../../components/nothing-here.tsx";
import { Failure } from "../../components/notice.tsx";
import { hourOfWeekAt } from "../../time/zone.ts";
import { findOutlook } from "./good-hours.ts";
import styles from "./now-page.module.css";
import { LAST_HOUR, LAST_THREE_HOURS } from "./now-ranges.ts";
import { describeNow, describeOutlook } from "./status.ts";
import { Tile } from "./tile.tsx";
import { judgeNow, type NowShare, type TileState } from "./tile-state.ts";
import { WeekPanel } from "./week-panel.tsx";
import { shareOf } from "./worst-changes.ts";
import { WorstChanges } from "./worst-changes-panel.tsx";

interface TargetNow {
  readonly target: Target;
  readonly now: NowShare;
}

/** So many tiles are seen at once; the rest on demand. */
const FIRST_TILES = 12;
const FIRST_TILES_ON_PHONES = 4;
/** Which tiles a small screen shows first. */
const URGENCY: readonly TileState[] = ["short", "tight", "room", "few", "silent"];

export function NowPage() {
  const messages = useMessages();
  const { scope } = useScope();
  const { project } = useView();
  const models = useQuery(modelsQuery({ project: project.slug }));
  const targets = useTargetsNow();
  const week = useWeek();
  if (models.data?.models.length === 0) return <NothingHere />;
  if (targets === null && models.isError) {
    return (
      <>
        <h1 className="hidden">{messages.now.title}</h1>
        <Failure error={models.error} onRetry={() => models.refetch()} />
      </>
    );
  }
  return (
    <div className={styles["page"]}>
      <Status targets={targets} />
      <Tiles targets={targets} mayFetch={!week.isPending} />
      <WeekPanel key={scope.project} targets={targets?.map(({ target }) => target) ?? []} />
      <WorstChanges />
    </div>
  );
}

/** What is usual for all models together. */
function useWeek() {
  const { count } = useScope().scope;
  const { project, zone } = useView();
  return useQuery(heatmapQuery({ project: project.slug, target: null, zone, count, range: null }));
}

/** Every target with its share now; `null` while it is not known. Ordered by traffic, so that tiles stay in place. */
function useTargetsNow(): readonly TargetNow[] | null {
  const { scope } = useScope();
  const { project } = useView();
  const where = { project: project.slug };
  const models = useQuery(modelsQuery(where));
  const lastHour = useQuery(overviewQuery(where, LAST_HOUR));
  const lastThree = useQuery(overviewQuery(where, LAST_THREE_HOURS));
  return useMemo(() => {
    if (models.data === undefined || lastHour.data === undefined || lastThree.data === undefined) return null;
    const hour = lastHour.data.targets;
    const three = lastThree.data.targets;
    return models.data.models
      .filter(({ attempts }) => attempts > 0)
      .map(({ provider, model, endpoint }) => {
        const target = { provider, model, endpoint };
        const cellIn = (list: typeof hour) => {
          const figures = list.find((one) => isSameTarget(one, target));
          return figures === undefined ? undefined : shareOf(figures, scope.count);
        };
        return { target, now: judgeNow(cellIn(hour), cellIn(three)) };
      });
  }, [models.data, lastHour.data, lastThree.data, scope.count]);
}

function Status({ targets }: { targets: readonly TargetNow[] | null }) {
  const messages = useMessages();
  const { zone, formats } = useView();
  const nowMs = useNow();
  const week = useWeek();
  const few = targets?.filter(({ now }) => now.state === "few").length ?? 0;
  return (
    <header className={styles["status"]}>
      <h1 className="hidden">{messages.now.title}</h1>
      <p className={styles["sentence"]} aria-live="polite">
        {targets === null ? (
          <span className={styles["pending"]} />
        ) : (
          describeNow(
            targets.map(({ target, now }) => ({ name: target.model, state: now.state })),
            messages,
          )
        )}{" "}
        <span className={styles["outlook"]}>
          {week.data !== undefined &&
            describeOutlook(findOutlook(week.data.cells, hourOfWeekAt(nowMs, zone)), messages, formats)}
        </span>
      </p>
      <p className={styles["basis"]}>
        {messages.states.asOf(formats.time(nowMs))}. {few > 0 && `${messages.now.unsure(few)} `}
        {messages.now.basis(zone)}
      </p>
    </header>
  );
}

interface TilesProps {
  readonly targets: readonly TargetNow[] | null;
  /** What the tiles fetch themselves comes after the sentence and the grid. */
  readonly mayFetch: boolean;
}

function Tiles({ targets, mayFetch }: TilesProps) {
  const messages = useMessages();
  const { scope, change } = useScope();
  const nowMs = useNow();
  const [showsAll, setShowsAll] = useState(false);
  const isPhone = useMedia(PHONE);
  if (targets === null) return <div className={styles["tilesPending"]} aria-busy="true" />;
  const first = isPhone ? FIRST_TILES_ON_PHONES : FIRST_TILES;
  const ordered = isPhone
    ? [...targets].sort((a, b) => URGENCY.indexOf(a.now.state) - URGENCY.indexOf(b.now.state))
    : targets;
  const shown = showsAll ? ordered : ordered.slice(0, first);
  return (
    <section aria-label={messages.now.tiles} className={styles["tilesBox"]}>
      <ul className={styles["tiles"]}>
        {shown.map(({ target, now }) => {
          const isPicked = isSameTarget(scope.target, target);
          return (
            <Tile
              key={nameTarget(target) + target.provider}
              target={target}
              now={now}
              nowMs={nowMs}
              isPicked={isPicked}
              mayFetch={mayFetch}
              onPick={() => change({ target: isPicked ? null : target }, { replace: true })}
            />
          );
        })}
      </ul>
      {targets.length > first && (
        <button type="button" className={controls["quiet"]} onClick={() => setShowsAll(!showsAll)}>
          {showsAll ? messages.now.showFewerTiles : messages.now.showAllTiles(targets.length)}
        </button>
      )}
    </section>
  );
}
