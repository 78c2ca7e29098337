import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ChannelRecord, ChannelTest } from "../../../../../server/contract/channel.ts";
import { toPath } from "../../../api/paths.ts";
import { channelsQuery } from "../../../api/queries.ts";
import { useChange } from "../../../api/use-change.ts";
import { usePreferences } from "../../../app/preferences.tsx";
import { useIsAdmin, useNow, useView } from "../../../app/view.tsx";
import controls from "../../../components/controls.module.css";
import { Refusal } from "../../../components/form.tsx";
import { Panel } from "../../../components/panel.tsx";
import { RowsTable } from "../../../components/rows-table.tsx";
import styles from "../alerts.module.css";
import { useAlerts } from "../use-alerts.ts";
import { ChannelLog } from "./channel-log.tsx";
import { ChannelSettings } from "./channel-settings.tsx";
import { NewChannelForm } from "./new-channel-form.tsx";

/** Where alerts go: with what each receiver said last, a test, and the log. */
export function ChannelPanels() {
  const { channels: words } = useAlerts();
  const { project } = useView();
  const { language } = usePreferences();
  const isAdmin = useIsAdmin();
  const channels = useQuery(channelsQuery(project.slug, language));
  return (
    <>
      {isAdmin && (
        <Panel title={words.add} note={words.addNote} state={channels} skeleton="low">
          {() => <NewChannelForm />}
        </Panel>
      )}
      <Panel
        title={words.title}
        note={isAdmin ? words.note : `${words.note} ${words.adminsOnly}`}
        state={channels}
        skeleton="low"
        isEmpty={(data) => data.channels.length === 0}
        empty={words.empty}
      >
        {(data) => <ChannelTable channels={data.channels} />}
      </Panel>
    </>
  );
}

type Opened = { readonly what: "log" | "settings"; readonly channel: ChannelRecord };

function ChannelTable({ channels }: { channels: readonly ChannelRecord[] }) {
  const { channels: words } = useAlerts();
  const { project, formats } = useView();
  const { language } = usePreferences();
  const isAdmin = useIsAdmin();
  const nowMs = useNow();
  const [opened, setOpened] = useState<Opened | null>(null);
  const [tested, setTested] = useState<{ name: string; test: ChannelTest } | null>(null);
  const test = useChange<ChannelTest>();
  const sendTest = ({ id, name }: ChannelRecord) => {
    setTested(null);
    const path = toPath(`/api/channels/${id}/tests`, { project: project.slug, locale: language });
    test.mutate({ method: "POST", path }, { onSuccess: (answer) => setTested({ name, test: answer }) });
  };
  const toRow = (channel: ChannelRecord) => ({
    id: channel.id,
    isOver: !channel.isEnabled,
    cells: [
      <>
        {channel.name}
        <br key="break" />
        <small key="address">{channel.address}</small>
      </>,
      words.kinds[channel.kind],
      `${words.leasts[channel.leastSeverity]}, ${words.locales[channel.locale]}`,
      <ChannelState key="state" channel={channel} />,
      channel.lastOkAt === null ? words.never : formats.ago(Date.parse(channel.lastOkAt), nowMs),
      <span key="act" className={styles["buttons"]}>
        {isAdmin && (
          <button
            type="button"
            className={controls["button"]}
            aria-label={words.testLabel(channel.name)}
            disabled={test.isPending}
            onClick={() => sendTest(channel)}
          >
            {words.test}
          </button>
        )}
        <button
          type="button"
          className={controls["quiet"]}
          aria-label={words.logLabel(channel.name)}
          onClick={() => setOpened({ what: "log", channel })}
        >
          {words.log}
        </button>
        {isAdmin && (
          <button
            type="button"
            className={controls["quiet"]}
            aria-label={words.settingsLabel(channel.name)}
            onClick={() => setOpened({ what: "settings", channel })}
          >
            {words.settings}
          </button>
        )}
      </span>,
    ],
  });
  const close = () => setOpened(null);
  return (
    <>
      <RowsTable label={words.title} heads={Object.values(words.columns)} rows={channels.map(toRow)} />
      <div role="status">
        {test.isPending && <p>{words.testing}</p>}
        {tested !== null && <TestAnswer name={tested.name} test={tested.test} />}
      </div>
      <Refusal error={test.error} />
      {opened?.what === "log" && <ChannelLog channel={opened.channel} onClose={close} />}
      {opened?.what === "settings" && <ChannelSettings channel={opened.channel} onClose={close} />}
    </>
  );
}

const TONES = { unused: "plain", ok: "good", failing: "bad", broken: "bad" } as const;

function ChannelState({ channel }: { channel: ChannelRecord }) {
  const { channels: words } = useAlerts();
  const { formats } = useView();
  if (!channel.isEnabled) return words.off;
  const more = [
    channel.waiting > 0 ? words.waiting(channel.waiting) : null,
    channel.pausedUntil === null ? null : words.pausedUntil(formats.time(Date.parse(channel.pausedUntil))),
  ].filter((text) => text !== null);
  return (
    <span className={styles["state"]} data-tone={TONES[channel.state]}>
      {[words.states[channel.state], ...more].join(", ")}
      {channel.lastFailure !== null && <small> {channel.lastFailure.hint}</small>}
    </span>
  );
}

/** The receiver's own words: what was configured by the book and never heard is found here. */
function TestAnswer({ name, test }: { name: string; test: ChannelTest }) {
  const { channels: words } = useAlerts();
  const { formats } = useView();
  const { isDelivered, status, answer, hint, durationMs } = test;
  return (
    <div className={styles["answer"]} data-tone={isDelivered ? "good" : "bad"}>
      <p>{isDelivered ? words.testOk(name, formats.milliseconds(durationMs)) : words.testFailed(name)}</p>
      <p>
        <code>{status === null ? words.noAnswer : words.answered(status, answer)}</code>
      </p>
      {hint !== null && <p>{hint}</p>}
    </div>
  );
}
