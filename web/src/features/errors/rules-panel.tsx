import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useId, useRef, useState } from "react";
import type { Me } from "../../../../server/contract/access.ts";
import type { ClassificationRules } from "../../../../server/contract/classification.ts";
import { ApiError } from "../../api/api-error.ts";
import { sendJson } from "../../api/client.ts";
import { meQuery, rulesPath, rulesQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { type Loadable, Panel } from "../../components/panel.tsx";
import { withCode } from "../../components/with-code.tsx";
import styles from "./errors-page.module.css";
import { findRuleSpan, type PlacedFault, placeFault } from "./rule-faults.ts";
import { writeRules } from "./write-rules.ts";

/** The project's own rules, as JSON, for those who may change them; others read them. */
export function RulesPanel({ stored }: { stored: Loadable<ClassificationRules> }) {
  const { rules } = useMessages();
  const { project } = useView();
  const me = useQuery(meQuery(project.slug));
  return (
    <Panel title={rules.title} note={rules.note} state={stored} skeleton="middle">
      {(data) =>
        me.data === undefined || mayEdit(me.data) ? (
          <RulesEditor stored={data} />
        ) : (
          <RulesReader stored={data} />
        )
      }
    </Panel>
  );
}

const mayEdit = ({ via, keyKind, role }: Me) =>
  via === "token" || keyKind === "admin" || role === "admin" || role === "owner";

const EXAMPLE: ClassificationRules = {
  rules: [
    {
      id: "our-proxy/nap",
      outcome: "capacity",
      because: "Our proxy says so when it has no room.",
      text: "is taking a nap | come back later",
      status: "418 5xx",
    },
  ],
};

function RulesReader({ stored }: { stored: ClassificationRules }) {
  const { rules } = useMessages();
  if (stored.rules.length === 0) return <p className={styles["soft"]}>{rules.none}</p>;
  return (
    <label className={controls["field"]}>
      <span>{rules.readOnly}</span>
      <textarea className={controls["area"]} rows={12} readOnly value={writeRules(stored)} />
    </label>
  );
}

/** JSON that cannot be parsed; the message says where. */
class NoJson extends Error {}

function RulesEditor({ stored }: { stored: ClassificationRules }) {
  const { rules } = useMessages();
  const { project } = useView();
  const queries = useQueryClient();
  const area = useRef<HTMLTextAreaElement>(null);
  const help = useId();
  // `null` while nothing was changed: then it shows what is stored, also when that changes.
  const [draft, setDraft] = useState<string | null>(null);
  const text = draft ?? writeRules(stored);
  const save = useMutation({
    mutationFn: (wanted: string) =>
      sendJson<ClassificationRules>("PUT", rulesPath(project.slug), parseJson(wanted)),
    onSuccess: (answer) => {
      queries.setQueryData(rulesQuery(project.slug).queryKey, answer);
      setDraft(null);
    },
  });
  const change = (next: string | null) => {
    save.reset();
    setDraft(next);
  };
  const mark = (span: readonly [number, number]) => {
    area.current?.focus();
    area.current?.setSelectionRange(...span);
  };
  return (
    <div className={styles["rules"]}>
      <p>{rules.intro}</p>
      <div className={styles["editor"]}>
        <form
          className={styles["form"]}
          onSubmit={(event) => {
            event.preventDefault();
            save.mutate(text);
          }}
        >
          <label className={controls["field"]}>
            <span>{rules.label}</span>
            <textarea
              ref={area}
              className={controls["area"]}
              value={text}
              rows={Math.min(24, Math.max(8, text.split("\n").length + 1))}
              spellCheck={false}
              autoComplete="off"
              aria-invalid={save.isError}
              aria-describedby={help}
              onChange={(event) => change(event.target.value)}
            />
          </label>
          <div className={styles["known"]}>
            <button
              type="submit"
              className={controls["primary"]}
              disabled={draft === null || draft === writeRules(stored) || save.isPending}
            >
              {save.isPending ? rules.saving : rules.save}
            </button>
            {draft !== null && (
              <button type="button" className={controls["button"]} onClick={() => change(null)}>
                {rules.discard}
              </button>
            )}
            {draft === null && stored.rules.length === 0 && (
              <button
                type="button"
                className={controls["button"]}
                onClick={() => change(writeRules(EXAMPLE))}
              >
                {rules.example}
              </button>
            )}
          </div>
        </form>
        <div className={styles["beside"]}>
          {save.isError && <Refusal error={save.error} text={text} onMark={mark} />}
          <p role="status" className={styles["good"]}>
            {save.isSuccess ? rules.saved(save.data.rules.length) : ""}
          </p>
          <p id={help} className={styles["soft"]}>
            {withCode(rules.fields)}
          </p>
          <p className={styles["soft"]}>{withCode(rules.stored)}</p>
        </div>
      </div>
    </div>
  );
}

/** @throws NoJson */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new NoJson(error instanceof Error ? error.message : String(error));
  }
}

interface RefusalProps {
  readonly error: Error;
  /** What was refused. */
  readonly text: string;
  readonly onMark: (span: readonly [number, number]) => void;
}

/** Why the rules were not saved: each fault with its rule, which can be marked in the text. */
function Refusal({ error, text, onMark }: RefusalProps) {
  const { rules, sample } = useMessages();
  if (error instanceof NoJson) return <p role="alert">{rules.noJson(error.message)}</p>;
  const faults = error instanceof ApiError ? error.faults : [];
  if (faults.length === 0) return <p role="alert">{sample.failed(error.message)}</p>;
  const sent: unknown = JSON.parse(text);
  return (
    <div role="alert" className={styles["refusal"]}>
      <p>{rules.faults(faults.length)}</p>
      <ul>
        {faults.map((fault) => {
          const placed = placeFault(fault, sent);
          const span = placed.rule === null ? null : findRuleSpan(text, placed.rule);
          return (
            <li key={fault.pointer + fault.detail}>
              <FaultText {...placed} />
              {span !== null && (
                <button type="button" className={styles["mark"]} onClick={() => onMark(span)}>
                  {rules.show}
                </button>
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

function FaultText({ rule, id, field, detail }: PlacedFault) {
  const { rules } = useMessages();
  return (
    <span>
      {rule !== null && `${rules.ofRule(rule + 1, id)} `}
      {field !== "" && <code>{field}</code>} {detail}
    </span>
  );
}
