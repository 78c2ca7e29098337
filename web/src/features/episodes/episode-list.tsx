import { nameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import styles from "./episode-list.module.css";
import type { Episode } from "./episode-rows.ts";

const MOST = 30;

interface EpisodeListProps {
  /** Newest first. */
  readonly episodes: readonly Episode[];
  readonly onWhy: (id: number) => void;
}

/** Episodes one by one, with what they did, and the way to why. */
export function EpisodeList({ episodes: all, onWhy }: EpisodeListProps) {
  const { episodes } = useMessages();
  const { columns } = episodes;
  const shown = all.slice(0, MOST);
  return (
    <>
      <p className={styles["note"]}>{episodes.listNote(shown.length, all.length)}</p>
      <table className={styles["table"]}>
        <thead>
          <tr>
            {[columns.began, columns.target, columns.lasted, columns.errors, columns.peak, columns.wide].map(
              (text) => (
                <th key={text} scope="col">
                  {text}
                </th>
              ),
            )}
            <td />
          </tr>
        </thead>
        <tbody>
          {shown.map((episode) => (
            <Row key={episode.id} episode={episode} onWhy={onWhy} />
          ))}
        </tbody>
      </table>
    </>
  );
}

function Row({ episode, onWhy }: { episode: Episode; onWhy: (id: number) => void }) {
  const { episodes } = useMessages();
  const { formats } = useView();
  const openedMs = Date.parse(episode.openedAt);
  const when = formats.dateTime(openedMs);
  const name = nameTarget(episode);
  const lasted = formats.duration(Date.parse(episode.lastSeenAt) - openedMs);
  return (
    <tr>
      <th scope="row">{when}</th>
      <td className={styles["name"]}>{name}</td>
      <td>{episode.closedAt === null ? `${lasted}, ${episodes.goesOn}` : lasted}</td>
      <td>{episodes.errors(formats.count(episode.errors), formats.count(episode.attempts))}</td>
      <td>{formats.share(episode.peak)}</td>
      <td>{episode.isProviderWide ? episodes.wide : episodes.alone}</td>
      <td>
        <button
          type="button"
          className={controls["quiet"]}
          aria-label={episodes.whyOf(name, when)}
          onClick={() => onWhy(episode.id)}
        >
          {episodes.why}
        </button>
      </td>
    </tr>
  );
}
