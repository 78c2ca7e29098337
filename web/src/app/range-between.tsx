import { useState } from "react";
import controls from "../components/controls.module.css";
import { fromWallText, toWallText } from "../time/wall.ts";
import styles from "./header.module.css";
import { useMessages } from "./preferences.tsx";
import { resolveRange } from "./range.ts";
import type { RangeSheetProps } from "./range-picker.tsx";
import { useView } from "./view.tsx";

/** Two instants, as a wall clock in the zone that is looked at shows them. */
export function Between({ range, onChoose }: RangeSheetProps) {
  const { header } = useMessages();
  const { zone } = useView();
  const [start] = useState(() => resolveRange(range ?? { kind: "last", text: "7d" }, Date.now()));
  const [from, setFrom] = useState(() => toWallText(start.fromMs, zone));
  const [to, setTo] = useState(() => toWallText(start.toMs, zone));
  // What nobody changed stays the instant that it was, also in an hour that comes twice.
  const read = (text: string, ms: number) => (text === toWallText(ms, zone) ? ms : fromWallText(text, zone));
  const fromMs = read(from, start.fromMs);
  const toMs = read(to, start.toMs);
  const field = (label: string, value: string, onText: (text: string) => void) => (
    <label className={controls["field"]}>
      <span>{label}</span>
      <input
        type="datetime-local"
        className={controls["input"]}
        value={value}
        onChange={(event) => onText(event.target.value)}
      />
    </label>
  );
  return (
    <form
      className={styles["between"]}
      onSubmit={(event) => {
        event.preventDefault();
        if (fromMs < toMs) onChoose({ kind: "between", fromMs, toMs });
      }}
    >
      {field(header.from, from, setFrom)}
      {field(header.to, to, setTo)}
      <p className={styles["betweenZone"]}>{header.timesIn(zone)}</p>
      <button type="submit" className={controls["button"]} disabled={!(fromMs < toMs)}>
        {header.apply}
      </button>
    </form>
  );
}
