import { useMessages } from "../app/preferences.tsx";
import { DAY_MS, type RangeChoice } from "../app/range.ts";
import { describeRange } from "../app/range-picker.tsx";
import { useScope } from "../app/use-scope.ts";
import { useView } from "../app/view.tsx";
import controls from "./controls.module.css";
import { Notice } from "./notice.tsx";

const QUARTER_MS = 900_000;

/** The last `days` that have calls, up to and with the last one. */
export function lastRangeWithCalls(lastSeenMs: number, days: number): RangeChoice {
  const toMs = lastSeenMs + QUARTER_MS;
  return { kind: "between", fromMs: toMs - days * DAY_MS, toMs };
}

/** For a range without calls: when the last one was, and the way there. */
export function OutsideRange({ lastSeenMs, days }: { lastSeenMs: number; days: number }) {
  const messages = useMessages();
  const { formats } = useView();
  const { change } = useScope();
  const range = lastRangeWithCalls(lastSeenMs, days);
  return (
    <Notice title={messages.empty.outside(formats.dateTime(lastSeenMs))}>
      <button type="button" className={controls["button"]} onClick={() => change({ range })}>
        {messages.empty.showLast(describeRange(range, messages, formats))}
      </button>
    </Notice>
  );
}
