import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { ComponentMode, ComponentTarget } from "../../../../../server/contract/status.ts";
import { modelsQuery } from "../../../api/queries.ts";
import { useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { LineIcon } from "../../../components/icons.tsx";
import { MoveButton } from "../../../components/move-button.tsx";
import {
  type DraftComponent,
  describeTarget,
  isSame,
  listChoices,
  MODES,
  moveItem,
  nameOf,
} from "./draft.ts";
import styles from "./status.module.css";
import { TextPair } from "./text-pair.tsx";
import { useStatus } from "./use-status.ts";

export interface ComponentListProps {
  readonly components: readonly DraftComponent[];
  readonly onChange: (components: readonly DraftComponent[]) => void;
}

/** The components in their order, each to be named, filled and moved. */
export function ComponentList({ components, onChange }: ComponentListProps) {
  const words = useStatus().components;
  const [said, setSaid] = useState("");
  if (components.length === 0) return null;
  return (
    <>
      <ol className={styles["components"]} aria-label={words.title}>
        {components.map((component, at) => {
          const name = nameOf(component.name, words.newName);
          const move = (to: number) => {
            if (to < 0 || to >= components.length) return;
            onChange(moveItem(components, at, to));
            setSaid(words.moved(name, to + 1));
          };
          return (
            <li key={component.key}>
              <div className={styles["head"]}>
                <h4>{name}</h4>
                <MoveButton isUp label={words.up(name)} isOff={at === 0} onClick={() => move(at - 1)} />
                <MoveButton
                  label={words.down(name)}
                  isOff={at === components.length - 1}
                  onClick={() => move(at + 1)}
                />
                <button
                  type="button"
                  className={controls["danger"]}
                  aria-label={words.removeLabel(name)}
                  onClick={() => onChange(components.filter((one) => one !== component))}
                >
                  {words.remove}
                </button>
              </div>
              <ComponentFields
                component={component}
                onChange={(changed) => onChange(components.map((one) => (one === component ? changed : one)))}
              />
            </li>
          );
        })}
      </ol>
      <p className="hidden" role="status">
        {said}
      </p>
    </>
  );
}

interface ComponentFieldsProps {
  readonly component: DraftComponent;
  readonly onChange: (component: DraftComponent) => void;
}

function ComponentFields({ component, onChange }: ComponentFieldsProps) {
  const words = useStatus().components;
  const { name, about, mode } = component;
  return (
    <>
      <TextPair
        label={words.name}
        value={name}
        onChange={(changed) => onChange({ ...component, name: changed })}
        maxLength={80}
      />
      <TextPair
        label={words.about}
        value={about}
        onChange={(changed) => onChange({ ...component, about: changed })}
        maxLength={300}
      />
      <div className={styles["row"]}>
        <Choice
          label={words.mode}
          value={mode}
          options={MODES.map((one) => [one, words.modes[one]])}
          onChange={(changed) => onChange({ ...component, mode: changed as ComponentMode })}
        />
      </div>
      {mode !== "manual" && <Targets component={component} onChange={onChange} />}
    </>
  );
}

/** What it stands for: models, or single endpoints of them. */
function Targets({ component, onChange }: ComponentFieldsProps) {
  const words = useStatus().components;
  const { project } = useView();
  const models = useQuery(modelsQuery({ project: project.slug }));
  const { targets } = component;
  const name = nameOf(component.name, words.newName);
  const choices = listChoices(models.data?.models ?? []).filter(
    (choice) => !targets.some((own) => isSame(own, choice)),
  );
  const add = (target: ComponentTarget | undefined) => {
    if (target !== undefined) onChange({ ...component, targets: [...targets, target] });
  };
  return (
    <div className={styles["targets"]}>
      <span>{targets.length === 0 ? words.noTargets : words.targets}</span>
      {targets.map((target) => {
        const text = describeTarget(target);
        return (
          <span key={text} className={styles["chip"]}>
            {text}
            <button
              type="button"
              className={controls["quiet"]}
              aria-label={words.removeTarget(text, name)}
              onClick={() =>
                onChange({ ...component, targets: targets.filter((one) => !isSame(one, target)) })
              }
            >
              <LineIcon name="cross" />
            </button>
          </span>
        );
      })}
      {choices.length > 0 && (
        <select
          className={controls["select"]}
          aria-label={words.addTargetTo(name)}
          value=""
          onChange={(event) => add(choices[Number(event.target.value)])}
        >
          <option value="">{words.addTarget}</option>
          {choices.map((choice, at) => (
            <option key={`${describeTarget(choice)} ${choice.endpoint ?? "*"}`} value={at}>
              {describeTarget(choice)}
            </option>
          ))}
        </select>
      )}
    </div>
  );
}
