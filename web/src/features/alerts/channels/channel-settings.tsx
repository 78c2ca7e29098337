import { useState } from "react";
import type { Severity } from "../../../../../server/contract/alert-rule.ts";
import type { ChannelRecord } from "../../../../../server/contract/channel.ts";
import { toPath } from "../../../api/paths.ts";
import { useChange } from "../../../api/use-change.ts";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { Drawer } from "../../../components/drawer.tsx";
import { Form, Refusal, Secret } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { TextField } from "../../../components/text-field.tsx";
import styles from "../alerts.module.css";
import { SEVERITIES } from "../severity-mark.tsx";
import { useAlerts } from "../use-alerts.ts";

/** Name, language, what it takes, whether it is on; another address; a new secret; its removal. */
export function ChannelSettings({ channel, onClose }: { channel: ChannelRecord; onClose: () => void }) {
  const { channels: words, save } = useAlerts();
  const { project } = useView();
  const path = toPath(`/api/channels/${channel.id}`, { project: project.slug });
  const [name, setName] = useState(channel.name);
  const [locale, setLocale] = useState<string>(channel.locale);
  const [least, setLeast] = useState<Severity>(channel.leastSeverity);
  const [isEnabled, setEnabled] = useState(channel.isEnabled);
  const [address, setAddress] = useState("");
  const keep = useChange(onClose);
  const submit = () =>
    keep.mutate({
      method: "PATCH",
      path,
      body: { name, locale, leastSeverity: least, isEnabled, ...(address.trim() === "" ? {} : { address }) },
    });
  return (
    <Drawer title={channel.name} note={channel.address} onClose={onClose}>
      <Form onSubmit={submit}>
        <TextField label={words.name} value={name} onChange={setName} required maxLength={100} />
        <Choice
          label={words.locale}
          value={locale}
          options={Object.entries(words.locales)}
          onChange={setLocale}
        />
        <Choice
          label={words.least}
          value={least}
          options={SEVERITIES.map((value) => [value, words.leasts[value]])}
          onChange={(value) => setLeast(value as Severity)}
        />
        <TextField label={words.newAddress} value={address} onChange={setAddress} maxLength={2_048} />
        <div className={styles["checks"]}>
          <label>
            <input
              type="checkbox"
              checked={isEnabled}
              onChange={(event) => setEnabled(event.target.checked)}
            />
            {words.isOn}
          </label>
        </div>
        <button type="submit" className={controls["primary"]} disabled={keep.isPending}>
          {save}
        </button>
      </Form>
      <Refusal error={keep.error} />
      {channel.kind === "webhook" && <Rotation id={channel.id} />}
      <Removal channel={channel} path={path} onDone={onClose} />
    </Drawer>
  );
}

function Rotation({ id }: { id: number }) {
  const { channels: words } = useAlerts();
  const { project } = useView();
  const [secret, setSecret] = useState<string | null>(null);
  const rotate = useChange<{ signingSecret: string }>((answer) => setSecret(answer.signingSecret));
  return (
    <>
      <div className={styles["actions"]}>
        <button
          type="button"
          className={controls["button"]}
          disabled={rotate.isPending}
          onClick={() =>
            rotate.mutate({
              method: "POST",
              path: toPath(`/api/channels/${id}/rotations`, { project: project.slug }),
              body: {},
            })
          }
        >
          {words.rotate}
        </button>
        <span className={layout["soft"]}>{words.rotateNote}</span>
      </div>
      <Refusal error={rotate.error} />
      {secret !== null && <Secret text={secret} note={words.secretShown} />}
    </>
  );
}

interface RemovalProps {
  readonly channel: ChannelRecord;
  readonly path: string;
  readonly onDone: () => void;
}

/** Asked once more, in its place: what waits is lost. */
function Removal({ channel, path, onDone }: RemovalProps) {
  const { channels: words, remove, removeLabel, cancel } = useAlerts();
  const [isAsked, setAsked] = useState(false);
  const removal = useChange(onDone);
  if (!isAsked)
    return (
      <button
        type="button"
        className={controls["danger"]}
        aria-label={removeLabel(channel.name)}
        onClick={() => setAsked(true)}
      >
        {remove}
      </button>
    );
  return (
    <div className={styles["answer"]} data-tone="bad">
      <p>
        <strong>{words.removeTitle(channel.name)}</strong> {words.removeText}
      </p>
      <div className={styles["actions"]}>
        <button
          type="button"
          className={controls["danger"]}
          disabled={removal.isPending}
          onClick={() => removal.mutate({ method: "DELETE", path })}
        >
          {remove}
        </button>
        <button type="button" className={controls["quiet"]} onClick={() => setAsked(false)}>
          {cancel}
        </button>
      </div>
      <Refusal error={removal.error} />
    </div>
  );
}
