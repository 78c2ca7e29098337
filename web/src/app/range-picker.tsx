import controls from "../components/controls.module.css";
import { LineIcon } from "../components/icons.tsx";
import { Menu } from "../components/menu.tsx";
import type { Messages } from "../messages/en.ts";
import type { Formats } from "../messages/formats.ts";
import { ComparePicker } from "./compare-picker.tsx";
import styles from "./header.module.css";
import { useMessages } from "./preferences.tsx";
import { PRESETS, type RangeChoice, shiftRange } from "./range.ts";
import { Between } from "./range-between.tsx";
import { useScope } from "./use-scope.ts";
import { useView } from "./view.tsx";

/** A range in words; `usual` stands where the panel takes its own. */
export function describeRange(
  range: RangeChoice | null,
  messages: Messages,
  formats: Formats,
  usual = messages.header.usualRange,
): string {
  if (range === null) return usual;
  if (range.kind === "last") return messages.header.last(range.text);
  return `${formats.dateTime(range.fromMs)} – ${formats.dateTime(range.toMs)}`;
}

export function RangePicker() {
  const messages = useMessages();
  const { header } = messages;
  const { formats } = useView();
  const { scope, change } = useScope();
  const against = scope.compare === null ? "" : ` ${header.against(header.comparisons[scope.compare])}`;
  const shown = describeRange(scope.range, messages, formats) + against;
  const choose = (range: RangeChoice | null) => change({ range });
  const shift = (direction: -1 | 1) =>
    choose(shiftRange(scope.range ?? { kind: "last", text: "28d" }, direction, Date.now()));
  return (
    <div className={styles["range"]}>
      <button
        type="button"
        className={controls["quiet"]}
        aria-label={header.earlier}
        title={`${header.earlier} [`}
        onClick={() => shift(-1)}
      >
        <LineIcon name="left" />
      </button>
      <Menu
        label={`${header.range}: ${shown}`}
        shortcut="t"
        button={
          <>
            {shown} <LineIcon name="down" />
          </>
        }
      >
        {(close) => (
          <RangeSheet
            range={scope.range}
            onChoose={(range) => {
              choose(range);
              close();
            }}
          />
        )}
      </Menu>
      <button
        type="button"
        className={controls["quiet"]}
        aria-label={header.later}
        title={`${header.later} ]`}
        disabled={scope.range?.kind !== "between"}
        onClick={() => shift(1)}
      >
        <LineIcon name="right" />
      </button>
    </div>
  );
}

export interface RangeSheetProps {
  readonly range: RangeChoice | null;
  readonly onChoose: (range: RangeChoice | null) => void;
}

export function RangeSheet({ range, onChoose }: RangeSheetProps) {
  const { header } = useMessages();
  const isChosen = (text: string) => range?.kind === "last" && range.text === text;
  return (
    <>
      <div className={styles["presets"]}>
        <button
          type="button"
          className={styles["preset"]}
          aria-pressed={range === null}
          title={header.usualRangeHint}
          onClick={() => onChoose(null)}
        >
          {header.usualRange}
        </button>
        {PRESETS.map((text) => (
          <button
            key={text}
            type="button"
            className={styles["preset"]}
            aria-pressed={isChosen(text)}
            onClick={() => onChoose({ kind: "last", text })}
          >
            {header.last(text)}
          </button>
        ))}
      </div>
      <ComparePicker />
      <Between range={range} onChoose={onChoose} />
    </>
  );
}
