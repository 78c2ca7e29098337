import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { AlertRule } from "../../../../../server/contract/alert.ts";
import type { AlertRuleInput } from "../../../../../server/contract/alert-rule.ts";
import { ApiError } from "../../../api/api-error.ts";
import { toPath } from "../../../api/paths.ts";
import { alertRulesQuery } from "../../../api/queries.ts";
import { useChange } from "../../../api/use-change.ts";
import { useScope } from "../../../app/use-scope.ts";
import { useIsAdmin, useView } from "../../../app/view.tsx";
import controls from "../../../components/controls.module.css";
import { Form, Refusal } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { Panel } from "../../../components/panel.tsx";
import styles from "../alerts.module.css";
import { useAlerts } from "../use-alerts.ts";
import { ReplayPanel } from "./replay-panel.tsx";
import { NEW_RULE, toInput } from "./rule-draft.ts";
import { RuleFields } from "./rule-fields.tsx";

/** Writes a rule, and shows beside it what it would have told of the last 14 days. */
export function RuleEditorPanel({ id }: { id: number | null }) {
  const { editor, rules: words } = useAlerts();
  const { project } = useView();
  const isAdmin = useIsAdmin();
  const rules = useQuery(alertRulesQuery(project.slug));
  const stored = rules.data?.rules.find((rule) => rule.id === id) ?? null;
  // A version that somebody else wrote meanwhile is begun from anew.
  const [seen, setSeen] = useState<AlertRule | null>(null);
  const start = seen ?? stored;
  if (!isAdmin) return <p className={layout["soft"]}>{words.adminsOnly}</p>;
  return (
    <Panel
      title={start === null ? editor.make : editor.change(start.name)}
      state={rules}
      skeleton="high"
      isEmpty={() => id !== null && start === null}
      empty={words.empty}
    >
      {() => <Editor key={start?.version ?? 0} stored={start} onConflict={() => setSeen(stored)} />}
    </Panel>
  );
}

function Editor({ stored, onConflict }: { stored: AlertRule | null; onConflict: () => void }) {
  const { editor, save } = useAlerts();
  const { project } = useView();
  const { link } = useScope();
  const [, navigate] = useLocation();
  const [rule, setRule] = useState<AlertRuleInput>(() => (stored === null ? NEW_RULE : toInput(stored)));
  const keep = useChange(() => navigate(link("/alerts/rules")));
  const isConflict = keep.error instanceof ApiError && keep.error.status === 409;
  const send = () => {
    const path = stored === null ? "/api/rules" : `/api/rules/${stored.id}`;
    keep.mutate(
      {
        method: stored === null ? "POST" : "PUT",
        path: toPath(path, { project: project.slug }),
        body: stored === null ? rule : { ...rule, version: stored.version },
      },
      { onError: (error) => error instanceof ApiError && error.status === 409 && onConflict() },
    );
  };
  return (
    <div className={styles["editor"]}>
      <div>
        <RuleFields rule={rule} onChange={setRule} />
        <Form onSubmit={send}>
          <button
            type="submit"
            className={controls["primary"]}
            disabled={rule.name.trim() === "" || keep.isPending}
          >
            {save}
          </button>
        </Form>
        {isConflict ? <p role="alert">{editor.conflict}</p> : <Refusal error={keep.error} />}
      </div>
      <ReplayPanel rule={rule} />
    </div>
  );
}
