import { expect, test } from "vitest";
import { describeMyself, judgeLiveness, parseStat } from "./process-identity.ts";

const REST = "S 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 987654 20";

test.each(["postgres", "my (odd) name", "a) Z 1"])(
  "finds the fields behind the program's name: %s",
  (name) => {
    expect(parseStat(`42 (${name}) ${REST}`)).toEqual({ program: name, state: "S", startTicks: "987654" });
  },
);

test("is nothing for a text of another kind", () => {
  expect(parseStat("no such thing")).toBeNull();
});

test("this process lives", () => {
  expect(judgeLiveness(describeMyself(), describeMyself())).toBe("alive");
});

test("an earlier process with our number is dead", () => {
  const me = describeMyself();
  expect(judgeLiveness({ ...me, startedAt: "1" }, me)).toBe("dead");
});

test("a process number that is not in use is dead", () => {
  const me = describeMyself();
  expect(judgeLiveness({ ...me, pid: 2_147_483_647 }, me)).toBe("dead");
});

test.each([{ bootId: "other" }, { pidNamespace: "pid:[1]" }])(
  "can't be judged from another place: %j",
  (place) => {
    const me = describeMyself();
    expect(judgeLiveness({ ...me, ...place }, me)).toBe("unknown");
  },
);
