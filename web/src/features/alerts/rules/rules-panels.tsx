import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "wouter";
import type { AlertRule, AlertRules } from "../../../../../server/contract/alert.ts";
import { toPath } from "../../../api/paths.ts";
import { alertRulesQuery } from "../../../api/queries.ts";
import { useChange } from "../../../api/use-change.ts";
import { useScope } from "../../../app/use-scope.ts";
import { useIsAdmin, useView } from "../../../app/view.tsx";
import controls from "../../../components/controls.module.css";
import { Dialog } from "../../../components/dialog.tsx";
import { Refusal } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { Panel } from "../../../components/panel.tsx";
import { RowsTable } from "../../../components/rows-table.tsx";
import styles from "../alerts.module.css";
import { SeverityMark } from "../severity-mark.tsx";
import { useAlerts } from "../use-alerts.ts";
import { useTongue } from "../use-tongue.ts";
import { describeRule } from "./describe-rule.ts";
import { toInput } from "./rule-draft.ts";

export function RulesPanels() {
  const { project } = useView();
  const rules = useQuery(alertRulesQuery(project.slug));
  return (
    <>
      <UsualPanel state={rules} />
      <RulesPanel state={rules} />
    </>
  );
}

type State = ReturnType<typeof useQuery<AlertRules>>;

/** The rules that suit most, switched on together. */
function UsualPanel({ state }: { state: State }) {
  const { rules, ruleName } = useAlerts();
  const { project } = useView();
  const tongue = useTongue();
  const isAdmin = useIsAdmin();
  const switchOn = useChange();
  return (
    <Panel title={rules.usual} note={rules.usualNote} state={state} skeleton="low">
      {(data) => {
        const missing = data.usual.filter(({ id }) => id === null);
        if (missing.length === 0) return <p className={layout["soft"]}>{rules.allOn}</p>;
        return (
          <>
            <ul className={styles["usual"]}>
              {missing.map(({ preset, rule }) => (
                <li key={preset}>
                  <strong>{ruleName(rule.name)}</strong> {describeRule(rule, tongue)}
                </li>
              ))}
            </ul>
            {isAdmin && (
              <button
                type="button"
                className={controls["primary"]}
                disabled={switchOn.isPending}
                onClick={() =>
                  switchOn.mutate({
                    method: "POST",
                    path: toPath("/api/rules/usual", { project: project.slug }),
                  })
                }
              >
                {rules.switchOn(missing.length)}
              </button>
            )}
            <Refusal error={switchOn.error} />
          </>
        );
      }}
    </Panel>
  );
}

function RulesPanel({ state }: { state: State }) {
  const { rules } = useAlerts();
  const { link } = useScope();
  const isAdmin = useIsAdmin();
  return (
    <Panel
      title={rules.title}
      note={isAdmin ? rules.note : `${rules.note} ${rules.adminsOnly}`}
      state={state}
      skeleton="middle"
      isEmpty={(data) => data.rules.length === 0}
      empty={rules.empty}
      controls={
        isAdmin && (
          <div className={styles["actions"]}>
            <Link href={link("/alerts/rule")} className={controls["button"]}>
              {rules.make}
            </Link>
          </div>
        )
      }
    >
      {(data) => <RulesTable rules={data.rules} />}
    </Panel>
  );
}

function RulesTable({ rules: all }: { rules: readonly AlertRule[] }) {
  const { rules, ruleName } = useAlerts();
  const tongue = useTongue();
  const { project, formats } = useView();
  const { link } = useScope();
  const isAdmin = useIsAdmin();
  const change = useChange();
  const [removing, setRemoving] = useState<AlertRule | null>(null);
  const toRow = (rule: AlertRule) => ({
    id: rule.id,
    isOver: !rule.isEnabled,
    cells: [
      ruleName(rule.name),
      describeRule(rule, tongue),
      <SeverityMark key="severity" severity={rule.severity} />,
      rule.firing === 0 ? null : formats.count(rule.firing),
      <input
        key="on"
        type="checkbox"
        aria-label={rules.onLabel(ruleName(rule.name))}
        checked={rule.isEnabled}
        disabled={!isAdmin || change.isPending}
        onChange={(event) =>
          change.mutate({
            method: "PUT",
            path: toPath(`/api/rules/${rule.id}`, { project: project.slug }),
            body: { ...toInput(rule), isEnabled: event.target.checked, version: rule.version },
          })
        }
      />,
      isAdmin ? (
        <span key="act" className={styles["buttons"]}>
          <Link
            href={link("/alerts/rule", {}, { rule: rule.id })}
            className={controls["quiet"]}
            aria-label={rules.editLabel(ruleName(rule.name))}
          >
            {rules.edit}
          </Link>
          <RemoveButton rule={rule} onClick={() => setRemoving(rule)} />
        </span>
      ) : null,
    ],
  });
  return (
    <>
      <RowsTable label={rules.title} heads={Object.values(rules.columns)} rows={all.map(toRow)} />
      <Refusal error={change.error} />
      {removing !== null && <RemoveDialog rule={removing} onClose={() => setRemoving(null)} />}
    </>
  );
}

function RemoveButton({ rule, onClick }: { rule: AlertRule; onClick: () => void }) {
  const { ruleName, remove, removeLabel } = useAlerts();
  return (
    <button
      type="button"
      className={controls["danger"]}
      aria-label={removeLabel(ruleName(rule.name))}
      onClick={onClick}
    >
      {remove}
    </button>
  );
}

function RemoveDialog({ rule, onClose }: { rule: AlertRule; onClose: () => void }) {
  const { rules, ruleName, remove, cancel } = useAlerts();
  const { project } = useView();
  const removal = useChange(onClose);
  return (
    <Dialog title={rules.removeTitle(ruleName(rule.name))} closeText={cancel} onClose={onClose}>
      <p>{rules.removeText}</p>
      <Refusal error={removal.error} />
      <button
        type="button"
        className={controls["danger"]}
        disabled={removal.isPending}
        onClick={() =>
          removal.mutate({
            method: "DELETE",
            path: toPath(`/api/rules/${rule.id}`, { project: project.slug }),
          })
        }
      >
        {remove}
      </button>
    </Dialog>
  );
}
