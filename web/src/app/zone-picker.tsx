import { useMemo, useState } from "react";
import controls from "../components/controls.module.css";
import { browserZone } from "../time/zone.ts";
import styles from "./header.module.css";
import { useMessages } from "./preferences.tsx";
import { useScope } from "./use-scope.ts";
import { useView } from "./view.tsx";

/** The zone that times are told in: the project's, the browser's, UTC, or any other. */
export function ZonePicker({ isField = false }: { isField?: boolean }) {
  const { header } = useMessages();
  const { change } = useScope();
  const { project, zone } = useView();
  const own = browserZone();
  // Four hundred options are made when somebody reaches for them.
  const [isWanted, setWanted] = useState(false);
  const zones = useMemo(() => (isWanted ? Intl.supportedValuesOf("timeZone") : []), [isWanted]);
  const near = [...new Set([project.timeZone, own, "UTC", zone])];
  const nameOf = (name: string) =>
    name === project.timeZone ? header.zoneOfProject(name) : name === own ? header.zoneOfBrowser(name) : name;
  return (
    <label className={isField ? controls["field"] : styles["zone"]}>
      <span className={isField ? undefined : "hidden"}>{header.zone}</span>
      <select
        className={isField ? controls["select"] : styles["plainSelect"]}
        data-shortcut="z"
        onPointerEnter={() => setWanted(true)}
        onFocus={() => setWanted(true)}
        value={zone}
        onChange={(event) =>
          change({ zone: event.target.value === project.timeZone ? null : event.target.value })
        }
      >
        {near.map((name) => (
          <option key={name} value={name}>
            {nameOf(name)}
          </option>
        ))}
        <optgroup label={header.otherZones}>
          {zones
            .filter((name) => !near.includes(name))
            .map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
        </optgroup>
      </select>
    </label>
  );
}
