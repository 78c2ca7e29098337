import { describe, expect, it } from "vitest";
import { combineState } from "./component-state.ts";
import { listBusySpans, toUsualHours } from "./measure/busy-hours.ts";
import { MAINTENANCE } from "./measure/quarter-levels.ts";
import { toSpells } from "./measure/spells.ts";
import { isUnderWay, judgeNote, listSaid, type Note, saidNow } from "./notes/note-life.ts";
import { suggestComponents } from "./suggest.ts";

const MINUTE = 60_000;
const measured = (level: 0 | 1 | 2 | 3, isThin = false) => ({ level, isThin, sinceMs: 5 });
const nothing = { openEpisodeMs: null, said: null };

describe("combineState", () => {
  it("auto: what is measured, whatever the team says", () => {
    const said = { level: 3, sinceMs: 1 };
    expect(combineState({ mode: "auto", measured: measured(1), ...nothing, said }).state).toBe("busy");
    expect(combineState({ mode: "auto", measured: measured(0, true), ...nothing }).state).toBe("noData");
  });

  it("manual: what the team says, whatever is measured", () => {
    expect(combineState({ mode: "manual", measured: measured(3), ...nothing }).state).toBe("available");
    const said = { level: 2, sinceMs: 1 };
    expect(combineState({ mode: "manual", measured: measured(0), ...nothing, said })).toEqual({
      state: "veryBusy",
      level: 2,
      sinceMs: 1,
    });
  });

  it("both: the worse of the two, and maintenance over what is measured", () => {
    const both = (level: 0 | 1 | 2 | 3, said: number) =>
      combineState({
        mode: "both",
        measured: measured(level),
        openEpisodeMs: null,
        said: { level: said, sinceMs: 1 },
      }).state;
    expect([both(2, 1), both(1, 2), both(3, MAINTENANCE), both(1, 0)]).toEqual([
      "veryBusy",
      "veryBusy",
      "maintenance",
      "busy",
    ]);
    const thin = { mode: "both" as const, measured: measured(0, true), openEpisodeMs: null };
    expect(combineState({ ...thin, said: { level: 0, sinceMs: 1 } }).state).toBe("available");
  });

  it("is busy at least while an episode goes on, so that the page does not contradict itself", () => {
    const open = { mode: "auto" as const, openEpisodeMs: 3, said: null };
    expect(combineState({ ...open, measured: measured(0) })).toEqual({ state: "busy", level: 1, sinceMs: 3 });
    expect(combineState({ ...open, measured: measured(0, true) }).state).toBe("busy");
    expect(combineState({ ...open, measured: measured(2) })).toMatchObject({ state: "veryBusy", sinceMs: 5 });
  });
});

const text = { en: "x", zh: "" };
const aNote = (parts: Partial<Note>): Note => ({
  id: "n",
  kind: "maintenance",
  impact: "none",
  title: text,
  componentIds: ["c"],
  startsAtMs: 100,
  endsAtMs: 200,
  createdAtMs: 0,
  updates: [{ id: "u", state: "scheduled", body: text, atMs: 0 }],
  ...parts,
});
const update = (state: Note["updates"][number]["state"], atMs: number) => ({
  id: state,
  state,
  body: text,
  atMs,
});

describe("notes", () => {
  it("of a maintenance begin and end by their times", () => {
    const note = aNote({});
    expect([99, 100, 199, 200].map((ms) => judgeNote(note, ms).state)).toEqual([
      "scheduled",
      "in_progress",
      "in_progress",
      "completed",
    ]);
    expect([99, 100, 200].map((ms) => isUnderWay(note, ms))).toEqual([false, true, false]);
  });

  it("end when the team says so, once it has said that it goes on", () => {
    const note = aNote({ updates: [update("scheduled", 0), update("in_progress", 110)] });
    expect(judgeNote(note, 1_000)).toMatchObject({ state: "in_progress", isOver: false });
    const over = aNote({ updates: [...note.updates, update("completed", 150)] });
    expect(judgeNote(over, 160)).toEqual({ state: "completed", isOver: true, overAtMs: 150 });
  });

  it("make what is said of a component, as long as they go on", () => {
    const incident = aNote({
      kind: "incident",
      impact: "major",
      endsAtMs: null,
      updates: [update("monitoring", 120)],
    });
    expect(saidNow("c", [], [incident], 500)).toEqual({ level: 2, sinceMs: 100 });
    expect(saidNow("other", [], [incident], 500)).toBeNull();
    expect(listSaid("c", [], [incident], 500)).toEqual([{ fromMs: 100, toMs: 500, level: 2 }]);
    const resolved = aNote({ ...incident, updates: [update("resolved", 300)] });
    expect(saidNow("c", [], [resolved], 500)).toBeNull();
    expect(listSaid("c", [], [resolved], 500)).toEqual([{ fromMs: 100, toMs: 300, level: 2 }]);
  });

  it("weigh against words: the worst is what the team says", () => {
    const words = [
      { word: "busy" as const, fromMs: 10, toMs: null },
      { word: "unavailable" as const, fromMs: 0, toMs: 10 },
    ];
    expect(saidNow("c", words, [], 50)).toEqual({ level: 1, sinceMs: 10 });
    expect(listSaid("c", words, [], 50)).toHaveLength(2);
    expect(saidNow("c", words, [aNote({})], 150)).toEqual({ level: MAINTENANCE, sinceMs: 100 });
  });
});

describe("toSpells", () => {
  const levels = { fromMs: 0, levels: Int8Array.from([0, 2, 1, 0, 0, 0, 0, 0, 0, 0]) };
  const episode = (id: number, from: number, to: number, isOpen = false) => ({
    id,
    fromMs: from * MINUTE,
    toMs: to * MINUTE,
    isOpen,
  });

  it("joins episodes of a component's targets that touch, newest first, short ones left out", () => {
    const spells = toSpells(
      "c",
      [episode(3, 90, 95), episode(1, 16, 25), episode(2, 35, 50), episode(4, 120, 140, true)],
      levels,
    );
    expect(
      spells.map(({ fromMs, toMs, isOpen, level }) => [fromMs / MINUTE, toMs / MINUTE, isOpen, level]),
    ).toEqual([
      [120, 140, true, 1],
      [16, 50, false, 2],
    ]);
  });

  it("names them by what stays, and tells no number", () => {
    const [one] = toSpells("c", [episode(7, 0, 20)], levels);
    const [later] = toSpells("c", [episode(7, 2, 90)], levels);
    const [other] = toSpells("d", [episode(7, 0, 20)], levels);
    expect(one?.id).toBe(later?.id);
    expect(one?.id).not.toBe(other?.id);
    expect(one?.id).toMatch(/^[0-9a-f]{16}$/);
  });
});

describe("listBusySpans", () => {
  it("finds runs on the ring of a day", () => {
    const day = (...busy: number[]) => Array.from({ length: 24 }, (_, hour) => (busy.includes(hour) ? 1 : 0));
    expect(listBusySpans(day(9, 10, 14))).toEqual([
      { from: 9, to: 11 },
      { from: 14, to: 15 },
    ]);
    expect(listBusySpans(day(23, 0, 1))).toEqual([{ from: 23, to: 26 }]);
    expect(listBusySpans(day())).toEqual([]);
    expect(listBusySpans(new Array(24).fill(2))).toEqual([{ from: 0, to: 24 }]);
  });
});

describe("toUsualHours", () => {
  const week = (busy: readonly number[]) => ({
    rates: Array.from({ length: 168 }, (_, at) => (busy.includes(at) ? 0.2 : 0.001)),
    calls: new Array(168).fill(100),
    errors: Array.from({ length: 168 }, (_, at) => (busy.includes(at) ? 20 : 0)),
    days: 30,
    repeats: true,
  });
  const HOUR = 3_600_000;
  const busyIn = (levels: readonly number[]) => levels.flatMap((level, hour) => (level > 0 ? [hour] : []));
  /** 14:00 of Monday to Friday. */
  const afternoons = [0, 1, 2, 3, 4].map((day) => day * 24 + 14);

  it("lays a week onto the reader's wall, across midnight and into other days", () => {
    expect(busyIn(toUsualHours(week(afternoons), 0).weekdays)).toEqual([14]);
    expect(busyIn(toUsualHours(week(afternoons), 7 * HOUR).weekdays)).toEqual([21]);
    expect(busyIn(toUsualHours(week(afternoons), -15 * HOUR).weekdays)).toEqual([23]);
    const late = toUsualHours(week(afternoons), 12 * HOUR);
    // Two in the morning of Tuesday to Saturday.
    expect([busyIn(late.weekdays), busyIn(late.weekend)]).toEqual([[2], [2]]);
  });

  it("divides hours where zones differ by half of one", () => {
    expect(busyIn(toUsualHours(week(afternoons), 5.5 * HOUR).weekdays)).toEqual([19, 20]);
  });

  it("needs both: that it was seen, and that it is expected again", () => {
    const never = { ...week(afternoons), errors: new Array(168).fill(0) };
    expect(busyIn(toUsualHours(never, 0).weekdays)).toEqual([]);
    const once = { ...week(afternoons), rates: new Array(168).fill(0.001) };
    expect(busyIn(toUsualHours(once, 0).weekdays)).toEqual([]);
  });

  it("says nothing of hours with too few calls", () => {
    const thin = { ...week([]), calls: new Array(168).fill(3) };
    expect(toUsualHours(thin, 0).weekdays[0]).toBe(-1);
  });
});

describe("suggestComponents", () => {
  it("has a component per model that none stands for, most calls first", () => {
    const counts = [
      { provider: "a", model: "x/small", endpoint: "", attempts: 1 },
      { provider: "b", model: "big", endpoint: "e", attempts: 5 },
      { provider: "a", model: "big", endpoint: "", attempts: 5 },
      { provider: "a", model: "taken", endpoint: "", attempts: 99 },
    ];
    const taken = [{ targets: [{ provider: "a", model: "taken", endpoint: null }] }];
    expect(suggestComponents(counts, taken)).toEqual([
      {
        name: "big",
        targets: [
          { provider: "a", model: "big", endpoint: null },
          { provider: "b", model: "big", endpoint: null },
        ],
      },
      { name: "small", targets: [{ provider: "a", model: "x/small", endpoint: null }] },
    ]);
  });
});
