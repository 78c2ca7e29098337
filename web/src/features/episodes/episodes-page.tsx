import { useQuery } from "@tanstack/react-query";
import type { EpisodesAnswer } from "../../../../server/contract/episode.ts";
import { episodesQuery } from "../../api/queries.ts";
import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { NothingHere } from "../../components/nothing-here.tsx";
import { Panel } from "../../components/panel.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import voice from "../../components/voice.module.css";
import { DiagnosisDrawer } from "./diagnosis-drawer.tsx";
import { EpisodeList } from "./episode-list.tsx";
import { toTimeline } from "./episode-rows.ts";
import styles from "./episodes-page.module.css";
import { Timeline } from "./timeline.tsx";

const USUAL_RANGE: RangeChoice = { kind: "last", text: "28d" };
/** What `episode` in the address means all of the range. */
const WHOLE_RANGE = "range";

/** When models were short: on a line, one by one, and why. */
export function EpisodesPage() {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, zone, formats } = useView();
  const [opened, setOpened] = usePageParam("episode");
  const range = scope.range ?? USUAL_RANGE;
  const episodes = useQuery(episodesQuery({ project: project.slug, target: scope.target, range, zone }));
  if (episodes.data?.targets.length === 0 && scope.target === null) return <NothingHere />;
  const note = messages.episodes.note(describeRange(range, messages, formats), zone);
  const shared = {
    state: episodes,
    isEmpty: (data: EpisodesAnswer) => data.episodes.length === 0,
    empty: messages.episodes.empty,
  };
  return (
    <div className={styles["page"]}>
      <Status data={episodes.data} />
      <Panel
        {...shared}
        title={messages.episodes.timeline}
        note={note}
        skeleton="middle"
        controls={<Chooser data={episodes.data} onWhy={() => setOpened(WHOLE_RANGE)} />}
        table={(data) => toUsualTable(data, messages, note)}
      >
        {(data) => <Timeline rows={toTimeline(data)} data={data} />}
      </Panel>
      <Panel {...shared} title={messages.episodes.list} note={note} skeleton="high">
        {(data) => <EpisodeList episodes={data.episodes} onWhy={(id) => setOpened(String(id))} />}
      </Panel>
      {opened !== null && (
        <DiagnosisDrawer
          key={opened}
          episode={opened === WHOLE_RANGE ? null : Number(opened)}
          range={range}
          onClose={() => setOpened(null)}
        />
      )}
    </div>
  );
}

function Status({ data }: { data: EpisodesAnswer | undefined }) {
  const { episodes } = useMessages();
  const { zone } = useView();
  const open = data?.episodes.filter(({ closedAt }) => closedAt === null) ?? [];
  const short = new Set(data?.episodes.map((episode) => `${episode.provider}\n${nameTarget(episode)}`));
  return (
    <header className={voice["status"]}>
      <h1 className="hidden">{episodes.title}</h1>
      <p className={`${voice["sentence"]} ${styles["sentence"]}`} aria-live="polite">
        {data === undefined ? (
          <span className={styles["pending"]} />
        ) : (
          <>
            {episodes.sentence(data.episodes.length, short.size)}{" "}
            {open.length > 0 && episodes.open([...new Set(open.map(nameTarget))])}
          </>
        )}
      </p>
      <p className={voice["basis"]}>{episodes.basis(zone)}</p>
    </header>
  );
}

interface ChooserProps {
  readonly data: EpisodesAnswer | undefined;
  readonly onWhy: () => void;
}

function Chooser({ data, onWhy }: ChooserProps) {
  const { episodes } = useMessages();
  const { scope, change } = useScope();
  const targets = data?.targets ?? [];
  const key = ({ provider, model, endpoint }: { provider: string; model: string; endpoint: string | null }) =>
    JSON.stringify([provider, model, endpoint]);
  // What is filtered by stays in the list, though the answer has no other one then.
  const options = scope.target === null ? targets : [scope.target];
  return (
    <div className={styles["chooser"]}>
      <label>
        <span className="hidden">{episodes.chooser}</span>
        <select
          className={controls["select"]}
          value={scope.target === null ? "" : key(scope.target)}
          onChange={(event) => {
            const target = targets.find((one) => key(one) === event.target.value) ?? null;
            change(
              {
                target: target && {
                  provider: target.provider,
                  model: target.model,
                  endpoint: target.endpoint,
                },
              },
              { replace: true },
            );
          }}
        >
          <option value="">{episodes.allModels}</option>
          {options.map((target) => (
            <option key={key(target)} value={key(target)}>
              {nameTarget(target)}
            </option>
          ))}
        </select>
      </label>
      <button type="button" className={controls["button"]} onClick={onWhy}>
        {episodes.whyRange}
      </button>
    </div>
  );
}

/** What the timeline shows, as numbers. */
function toUsualTable(
  data: EpisodesAnswer,
  { episodes: { columns, title }, columns: names }: ReturnType<typeof useMessages>,
  note: string,
) {
  return {
    title,
    context: [note],
    columns: [names.provider, names.model, names.endpoint, title, columns.recovery, "90 %", columns.tries],
    rows: toTimeline(data).map(({ target: { provider, model, endpoint, episodes, recovery, tries } }) => [
      provider,
      model,
      endpoint,
      episodes,
      recovery?.minutesP50 ?? null,
      recovery?.minutesP90 ?? null,
      tries.p50,
    ]),
  };
}
