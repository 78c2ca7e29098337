import { useInfiniteQuery } from "@tanstack/react-query";
import type { ChannelRecord, DeliveryRecord } from "../../../../../server/contract/channel.ts";
import { deliveriesQuery } from "../../../api/queries.ts";
import { usePreferences } from "../../../app/preferences.tsx";
import { useView } from "../../../app/view.tsx";
import { Drawer } from "../../../components/drawer.tsx";
import { MoreButton } from "../../../components/more-button.tsx";
import { Failure } from "../../../components/notice.tsx";
import styles from "../alerts.module.css";
import { useAlerts } from "../use-alerts.ts";

/** Every try, with what the receiver said to it. */
export function ChannelLog({ channel, onClose }: { channel: ChannelRecord; onClose: () => void }) {
  const { channels: words, history } = useAlerts();
  const { project } = useView();
  const { language } = usePreferences();
  const log = useInfiniteQuery(deliveriesQuery(project.slug, channel.id, language));
  const tries = log.data?.pages.flatMap((page) => page.deliveries);
  return (
    <Drawer title={channel.name} note={words.logNote} onClose={onClose}>
      {log.error !== null && <Failure error={log.error} onRetry={() => log.refetch()} />}
      {tries?.length === 0 && <p>{words.logEmpty}</p>}
      {tries !== undefined && tries.length > 0 && (
        <ol className={styles["log"]}>
          {tries.map((one) => (
            <Try key={one.id} one={one} />
          ))}
        </ol>
      )}
      <MoreButton of={log} text={history.more} />
    </Drawer>
  );
}

const TONES = { delivered: "good", retried: "bad", failed: "bad", unknown: "plain" } as const;

function Try({ one }: { one: DeliveryRecord }) {
  const { channels: words } = useAlerts();
  const { formats } = useView();
  return (
    <li>
      <strong>{one.title}</strong>
      <p>
        {formats.dateTime(Date.parse(one.at))} · {words.tries(one.try)} ·{" "}
        <span className={styles["state"]} data-tone={TONES[one.outcome]}>
          {words.outcomes[one.outcome]}
        </span>{" "}
        · {formats.milliseconds(one.durationMs)}
      </p>
      <p>
        <code>{one.status === null ? words.noAnswer : words.answered(one.status, one.answer)}</code>
      </p>
      {one.hint !== null && <p>{one.hint}</p>}
    </li>
  );
}
