import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { PlanTarget } from "../../../../../server/contract/plan.ts";
import { modelsQuery } from "../../../api/queries.ts";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { Dialog } from "../../../components/dialog.tsx";
import { Form } from "../../../components/form.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { useRouting } from "../use-routing.ts";
import { setField } from "./draft.ts";

export interface TargetDialogProps {
  /** `null`: a new one. */
  readonly target: PlanTarget | null;
  readonly taken: readonly string[];
  readonly onSave: (target: PlanTarget) => void;
  readonly onClose: () => void;
}

const FIELDS = ["id", "provider", "model", "tier", "endpoint", "account"] as const;
const REQUIRED: readonly string[] = ["id", "provider", "model"];

/** What a target is: typed, or taken from what the project has called. */
export function TargetDialog({ target, taken, onSave, onClose }: TargetDialogProps) {
  const { editor, cancel } = useRouting();
  const words = editor.target;
  const [text, setText] = useState<Readonly<Record<string, string>>>(() =>
    Object.fromEntries(
      [...FIELDS, "maxConcurrency" as const].map((name) => [name, String(target?.[name] ?? "")]),
    ),
  );
  const set = (change: Readonly<Record<string, string>>) => setText((before) => ({ ...before, ...change }));
  const of = (name: string) => (text[name] ?? "").trim();
  const isTaken = taken.includes(of("id"));
  const hints: Partial<Record<string, string>> = {
    id: isTaken ? words.taken : words.idHint,
    provider: words.providerHint,
    tier: words.tierHint,
  };
  const save = () => {
    let next: PlanTarget = { ...target, id: of("id"), provider: of("provider"), model: of("model") };
    for (const name of ["tier", "endpoint", "account"] as const)
      next = setField(next, name, of(name) === "" ? undefined : of(name));
    const most = Number(of("maxConcurrency"));
    onSave(setField(next, "maxConcurrency", most >= 1 ? Math.floor(most) : undefined));
  };
  return (
    <Dialog
      title={target === null ? words.addTitle : words.editTitle(target.id)}
      closeText={cancel}
      onClose={onClose}
    >
      {target === null && (
        <KnownTargets
          onChoose={({ provider, model, endpoint }) =>
            set({ provider, model, endpoint, id: of("id") === "" ? model : of("id") })
          }
        />
      )}
      <Form onSubmit={save}>
        {FIELDS.map((name) => (
          <TextField
            key={name}
            label={words[name]}
            {...(hints[name] === undefined ? {} : { hint: hints[name] })}
            value={text[name] ?? ""}
            onChange={(value) => set({ [name]: value })}
            required={REQUIRED.includes(name)}
            maxLength={200}
          />
        ))}
        <TextField
          label={words.maxConcurrency}
          type="number"
          value={text["maxConcurrency"] ?? ""}
          onChange={(maxConcurrency) => set({ maxConcurrency })}
        />
        <button type="submit" className={controls["primary"]} disabled={isTaken}>
          {words.save}
        </button>
      </Form>
    </Dialog>
  );
}

interface KnownTarget {
  readonly provider: string;
  readonly model: string;
  readonly endpoint: string;
}

function KnownTargets({ onChoose }: { onChoose: (target: KnownTarget) => void }) {
  const { editor, ...routing } = useRouting();
  const { project } = useView();
  const models = useQuery(modelsQuery({ project: project.slug }));
  const known = models.data?.models ?? [];
  if (known.length === 0) return null;
  return (
    <Choice
      label={editor.target.known}
      value=""
      options={[
        ["", routing.nothing],
        ...known.map(
          ({ provider, model, endpoint }, at) =>
            [String(at), [provider, model, endpoint].filter((part) => part !== "").join(" · ")] as const,
        ),
      ]}
      onChange={(at) => {
        const chosen = known[Number(at)];
        if (at !== "" && chosen !== undefined) onChoose(chosen);
      }}
    />
  );
}
