import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { NowState, NowTarget } from "../../../../server/contract/now.ts";
import { heatmapQuery, nowQuery } from "../../api/queries.ts";
import { isSameTarget, nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { PHONE, useMedia, useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { NothingHere } from "../../components/nothing-here.tsx";
import { Failure } from "../../components/notice.tsx";
import voice from "../../components/voice.module.css";
import { hourOfWeekAt } from "../../time/zone.ts";
import { findOutlook } from "./good-hours.ts";
import styles from "./now-page.module.css";
import { describeNow, describeOutlook } from "./status.ts";
import { Tile } from "./tile.tsx";
import { WeekPanel } from "./week-panel.tsx";
import { WorstChanges } from "./worst-changes-panel.tsx";

/** So many tiles are seen at once; the rest on demand. */
const FIRST_TILES = 12;
const FIRST_TILES_ON_PHONES = 4;
/** Which tiles a small screen shows first. */
const URGENCY: readonly NowState[] = ["short", "tight", "room", "few", "silent"];

export function NowPage() {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, zone } = useView();
  const now = useQuery(nowQuery({ project: project.slug, zone, count: scope.count }));
  if (now.data?.targets.length === 0) return <NothingHere />;
  if (now.data === undefined && now.isError) {
    return (
      <>
        <h1 className="hidden">{messages.now.title}</h1>
        <Failure error={now.error} onRetry={() => now.refetch()} />
      </>
    );
  }
  // In order of traffic, so that tiles stay in their place.
  const targets = now.data?.targets.filter(({ calls }) => calls > 0) ?? null;
  return (
    <div className={styles["page"]}>
      <Status targets={targets} />
      <Tiles targets={targets} />
      <WeekPanel key={scope.project} targets={targets ?? []} />
      <WorstChanges />
    </div>
  );
}

function Status({ targets }: { targets: readonly NowTarget[] | null }) {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const nowMs = useNow();
  const question = { project: project.slug, target: null, zone, count: scope.count, range: null };
  const week = useQuery(heatmapQuery(question));
  const few = targets?.filter(({ now }) => now.state === "few").length ?? 0;
  return (
    <header className={voice["status"]}>
      <h1 className="hidden">{messages.now.title}</h1>
      <p className={`${voice["sentence"]} ${styles["sentence"]}`} aria-live="polite">
        {targets === null ? (
          <span className={styles["pending"]} />
        ) : (
          describeNow(
            targets.map((target) => ({ target, state: target.now.state })),
            messages,
          )
        )}{" "}
        <span className={styles["outlook"]}>
          {week.data !== undefined &&
            describeOutlook(findOutlook(week.data.cells, hourOfWeekAt(nowMs, zone)), messages, formats)}
        </span>
      </p>
      <p className={voice["basis"]}>
        {messages.states.asOf(formats.time(nowMs))}. {few > 0 && `${messages.now.unsure(few)} `}
        {messages.now.basis(zone)}
      </p>
    </header>
  );
}

function Tiles({ targets }: { targets: readonly NowTarget[] | null }) {
  const messages = useMessages();
  const { scope, change } = useScope();
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
        {shown.map((target) => {
          const { provider, model, endpoint } = target;
          const isPicked = isSameTarget(scope.target, target);
          const picked = isPicked ? null : { provider, model, endpoint };
          return (
            <Tile
              key={nameTarget(target) + provider}
              target={target}
              isPicked={isPicked}
              onPick={() => change({ target: picked }, { replace: true })}
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
