import { type KeyboardEvent, useRef, useState } from "react";
import type { PlanChain } from "../../../../../server/contract/plan.ts";
import { PHONE, useMedia, useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import { movePlace, type Place } from "../../../components/grid-model.ts";
import { HOURS_PER_DAY } from "../../../time/week-hours.ts";
import { avoidedHours, blockPerHour, listBlocks, paintAvoid, paintOrder } from "../blocks.ts";
import { useRouting } from "../use-routing.ts";
import { letterOf } from "../words.ts";
import { setField } from "./draft.ts";
import styles from "./editor.module.css";

/** What is painted: an order (`null` the usual one), or a target that is to be avoided or no longer. */
export type Brush =
  | { readonly order: readonly string[] | null }
  | { readonly avoid: string; readonly isOn: boolean };

export interface WeekPainterProps {
  readonly chain: PlanChain;
  /** Orders there are to paint with; some may hold in no hour yet. */
  readonly orders: readonly (readonly string[])[];
  readonly brush: Brush;
  readonly onBrush: (brush: Brush) => void;
  readonly onPaint: (change: (chain: PlanChain) => PlanChain) => void;
}

const WEEKDAYS = [0, 1, 2, 3, 4, 5, 6];
const HOURS = Array.from({ length: HOURS_PER_DAY }, (_, hour) => hour);

/** The week as a grid on which orders are painted, by pointer or by keyboard; days across on phones. */
export function WeekPainter({ chain, orders, brush, onBrush, onPaint }: WeekPainterProps) {
  const routing = useRouting();
  const words = routing.editor;
  const { formats } = useView();
  const isTall = useMedia(PHONE);
  const [stop, setStop] = useState<Place>({ row: 0, column: 0 });
  const table = useRef<HTMLTableElement>(null);
  const isPainting = useRef(false);
  const blocks = listBlocks(chain.schedule);
  const perHour = blockPerHour(chain.schedule);
  const letters = new Map(orders.map((order, at) => [order.join("\n"), letterOf(at)]));
  const ids = (chain.targets ?? []).map(({ id }) => id);
  const avoided = ids.map((id) => ({ id, hours: avoidedHours(chain.avoid, id) }));
  const [rows, columns] = isTall ? [HOURS, WEEKDAYS] : [WEEKDAYS, HOURS];
  const hourAt = ({ row, column }: Place) =>
    isTall ? column * HOURS_PER_DAY + row : row * HOURS_PER_DAY + column;

  const paint = (place: Place) => {
    const hours = new Set([hourAt(place)]);
    onPaint((before) => {
      if ("order" in brush) {
        const schedule = paintOrder(before.schedule, brush.order, hours);
        return setField(before, "schedule", schedule.length === 0 ? undefined : schedule);
      }
      const avoid = paintAvoid(before.avoid, brush.avoid, hours, brush.isOn);
      return setField(before, "avoid", avoid.length === 0 ? undefined : avoid);
    });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      paint(stop);
      return;
    }
    const place = movePlace(event.key, stop, rows.length, columns.length);
    if (place === null) return;
    event.preventDefault();
    setStop(place);
    table.current?.rows[place.row + 1]?.cells[place.column + 1]?.focus();
    if (event.shiftKey) paint(place);
  };
  const dayName = (day: number) => formats.weekday(day, "short");
  const cellOf = (place: Place) => {
    const hour = hourAt(place);
    const block = blocks[perHour[hour] ?? -1];
    const letter = block === undefined ? "" : (letters.get(block.order.join("\n")) ?? "");
    const shunned = avoided.filter(({ hours }) => hours.has(hour)).map(({ id }) => id);
    const start = hour % HOURS_PER_DAY;
    const when = `${formats.weekday(Math.floor(hour / HOURS_PER_DAY), "long")} ${formats.hour(start)}–${formats.hour(start + 1)}`;
    const what = [
      letter === "" ? words.cellUsual : words.order(letter),
      ...(shunned.length === 0 ? [] : [words.cellAvoid(shunned.join(", "))]),
    ];
    return { letter, hasAvoid: shunned.length > 0, label: words.cell(when, what.join("; ")) };
  };
  return (
    <>
      <BrushChoice orders={orders} ids={ids} brush={brush} onBrush={onBrush} />
      <div className={styles["box"]}>
        <table
          ref={table}
          className={styles["week"]}
          // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a grid is a table that one walks through
          role="grid"
          aria-label={`${words.grid}. ${words.weekNote}`}
          onKeyDown={onKeyDown}
          onPointerLeave={() => {
            isPainting.current = false;
          }}
          onPointerUp={() => {
            isPainting.current = false;
          }}
        >
          <thead>
            <tr>
              <td />
              {columns.map((column) => (
                <th key={column} scope="col">
                  {isTall ? dayName(column) : column}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map((name, row) => (
              <tr key={name}>
                <th scope="row">{isTall ? formats.hour(name) : dayName(name)}</th>
                {columns.map((_, column) => {
                  const place = { row, column };
                  const { letter, hasAvoid, label } = cellOf(place);
                  const isStop = stop.row === row && stop.column === column;
                  return (
                    <td
                      // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                      key={column}
                      tabIndex={isStop ? 0 : -1}
                      data-letter={letter === "" ? undefined : letter}
                      data-avoid={hasAvoid || undefined}
                      aria-label={label}
                      title={label}
                      onPointerDown={(event) => {
                        if (event.button !== 0) return;
                        // A finger would keep the first cell to itself.
                        event.currentTarget.releasePointerCapture(event.pointerId);
                        isPainting.current = true;
                        setStop(place);
                        paint(place);
                      }}
                      onPointerEnter={(event) => {
                        if (isPainting.current && event.buttons === 1) paint(place);
                      }}
                    >
                      <span aria-hidden="true">{letter}</span>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

interface BrushChoiceProps {
  readonly orders: readonly (readonly string[])[];
  readonly ids: readonly string[];
  readonly brush: Brush;
  readonly onBrush: (brush: Brush) => void;
}

function BrushChoice({ orders, ids, brush, onBrush }: BrushChoiceProps) {
  const words = useRouting().editor;
  const choices: readonly (readonly [Brush, string])[] = [
    ...orders.map((order, at) => [{ order }, `${words.order(letterOf(at))}: ${order.join(" → ")}`] as const),
    [{ order: null }, words.usual],
    ...ids.map((avoid) => [{ avoid, isOn: true }, words.avoid(avoid)] as const),
    ...ids.map((avoid) => [{ avoid, isOn: false }, words.avoidOff(avoid)] as const),
  ];
  const keyOf = (one: Brush) => JSON.stringify(one);
  return (
    <Choice
      label={words.brush}
      value={keyOf(brush)}
      options={choices.map(([one, text]) => [keyOf(one), text])}
      onChange={(key) => {
        const chosen = choices.find(([one]) => keyOf(one) === key);
        if (chosen !== undefined) onBrush(chosen[0]);
      }}
    />
  );
}
