import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Severity } from "../../../../../server/contract/alert-rule.ts";
import type { ChannelField, ChannelKind, CreatedChannel } from "../../../../../server/contract/channel.ts";
import { toPath } from "../../../api/paths.ts";
import { toldKindQuery } from "../../../api/queries.ts";
import { useChange } from "../../../api/use-change.ts";
import { usePreferences } from "../../../app/preferences.tsx";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { Form, Refusal, Secret } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { TextField } from "../../../components/text-field.tsx";
import { SEVERITIES } from "../severity-mark.tsx";
import { useAlerts } from "../use-alerts.ts";

const MAY_BE: readonly ChannelKind[] = ["webhook", "alertmanager"];

/** An address is pasted; what it is and what else it needs is told from it. */
export function NewChannelForm() {
  const { channels: words } = useAlerts();
  const { project } = useView();
  const { language } = usePreferences();
  const [address, setAddress] = useState("");
  const [kind, setKind] = useState<ChannelKind | null>(null);
  const [least, setLeast] = useState<Severity>("info");
  const [fields, setFields] = useState<Partial<Record<ChannelField, string>>>({});
  const [made, setMade] = useState<CreatedChannel | null>(null);
  const pasted = address.trim();
  const told = useQuery({ ...toldKindQuery(project.slug, pasted), enabled: pasted.length > 7 });
  const create = useChange<CreatedChannel>((channel) => {
    setMade(channel);
    setAddress("");
    setFields({});
    setKind(null);
  });
  const asked = told.data === undefined || pasted.length <= 7 ? null : told.data;
  const submit = () =>
    create.mutate({
      method: "POST",
      path: toPath("/api/channels", { project: project.slug }),
      body: {
        address: pasted,
        locale: language,
        leastSeverity: least,
        ...(kind === null ? {} : { kind }),
        ...toBody(fields),
      },
    });
  return (
    <>
      <Form onSubmit={submit}>
        <TextField
          label={words.address}
          hint={words.addressHint}
          value={address}
          onChange={setAddress}
          required
          maxLength={2_048}
        />
        {asked !== null && MAY_BE.includes(asked.kind) && (
          <Choice
            label={words.asKind}
            value={kind ?? asked.kind}
            options={MAY_BE.map((value) => [value, words.kinds[value]])}
            onChange={(value) => setKind(value as ChannelKind)}
          />
        )}
        {asked !== null &&
          [...asked.needs, ...asked.takes].map((field) => (
            <TextField
              key={field}
              label={words.fields[field]}
              value={fields[field] ?? ""}
              onChange={(text) => setFields({ ...fields, [field]: text })}
              required={asked.needs.includes(field)}
              type={field === "signingSecret" || field === "authorization" ? "password" : "text"}
            />
          ))}
        <Choice
          label={words.least}
          value={least}
          options={SEVERITIES.map((value) => [value, words.leasts[value]])}
          onChange={(value) => setLeast(value as Severity)}
        />
        <button type="submit" className={controls["primary"]} disabled={asked === null || create.isPending}>
          {words.add}
        </button>
      </Form>
      {asked !== null && <p className={layout["soft"]}>{words.isKind(words.kinds[kind ?? asked.kind])}</p>}
      <Refusal error={pasted.length > 7 ? (told.error ?? create.error) : create.error} />
      {made?.signingSecret != null && <Secret text={made.signingSecret} note={words.secretShown} />}
    </>
  );
}

/** What was written; addresses of e-mails come with commas between. */
function toBody(fields: Partial<Record<ChannelField, string>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields)
      .filter(([, text]) => text.trim() !== "")
      .map(([name, text]) => [
        name,
        name === "to"
          ? text
              .split(",")
              .map((part) => part.trim())
              .filter(Boolean)
          : text,
      ]),
  );
}
