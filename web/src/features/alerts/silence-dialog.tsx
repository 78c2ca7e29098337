import { useState } from "react";
import type { RuleMatcher } from "../../../../server/contract/alert-rule.ts";
import { toPath } from "../../api/paths.ts";
import { useChange } from "../../api/use-change.ts";
import { useView } from "../../app/view.tsx";
import { Choice } from "../../components/choice.tsx";
import controls from "../../components/controls.module.css";
import { Dialog } from "../../components/dialog.tsx";
import { Form, Refusal } from "../../components/form.tsx";
import { TextField } from "../../components/text-field.tsx";
import { useAlerts } from "./use-alerts.ts";

const LENGTHS = ["1", "4", "24", "168"] as const;
const HOUR_MS = 3_600_000;

interface SilenceDialogProps {
  readonly name: string;
  readonly where: RuleMatcher;
  /** Only its alerts; `null`: of whatever rule. */
  readonly rule: number | null;
  readonly onClose: () => void;
}

/** For how long, and why: whoever is on call next reads it. */
export function SilenceDialog({ name, where, rule, onClose }: SilenceDialogProps) {
  const { silences, cancel } = useAlerts();
  const { project } = useView();
  const [hours, setHours] = useState("4");
  const [reason, setReason] = useState("");
  const make = useChange(onClose);
  const submit = () =>
    make.mutate({
      method: "POST",
      path: toPath("/api/silences", { project: project.slug }),
      body: { where, rule, reason, until: new Date(Date.now() + Number(hours) * HOUR_MS).toISOString() },
    });
  return (
    <Dialog title={silences.dialog(name)} closeText={cancel} onClose={onClose}>
      <p>{silences.note}</p>
      <Form onSubmit={submit}>
        <Choice
          label={silences.length}
          value={hours}
          options={LENGTHS.map((value) => [value, silences.lengths[value]])}
          onChange={setHours}
        />
        <TextField label={silences.reason} value={reason} onChange={setReason} required maxLength={500} />
        <button
          type="submit"
          className={controls["primary"]}
          disabled={reason.trim() === "" || make.isPending}
        >
          {silences.make}
        </button>
      </Form>
      <Refusal error={make.error} />
    </Dialog>
  );
}
