import { expect, it } from "vitest";
import { createPublishedReader } from "./published-reader.ts";

function aReader() {
  const versions = new Map<number, number>();
  const asked: (readonly number[])[] = [];
  const found: number[] = [];
  const world = { isAway: false };
  const reader = createPublishedReader({
    async listPublished(ids) {
      asked.push([...ids].sort());
      return new Map(versions);
    },
    async findVersion(projectId, version) {
      found.push(version);
      if (world.isAway) throw new Error("away");
      return { version, document: { timeZone: "UTC", chains: { a: { floor: `of ${projectId}` }, b: {} } } };
    },
  });
  return { reader, versions, asked, found, world };
}

it("all who ask at once are answered by one statement, and each with their own", async () => {
  const { reader, versions, asked, found } = aReader();
  versions.set(1, 3).set(2, 7);
  const plans = await Promise.all([
    ...Array.from({ length: 50 }, () => reader.read(1, "a")),
    reader.read(2, "a"),
    reader.read(1, undefined),
    reader.read(3, "a"),
  ]);
  expect(asked).toEqual([[1, 2, 3]]);
  expect(found.sort()).toEqual([3, 3, 7]);
  expect(plans[0]?.plan).toEqual({ version: 3, timeZone: "UTC", chains: { a: { floor: "of 1" } } });
  expect(JSON.parse(plans[0]?.text ?? "")).toEqual(plans[0]?.plan);
  expect(plans[50]?.plan).toMatchObject({ version: 7, chains: { a: { floor: "of 2" } } });
  expect(Object.keys(plans[51]?.plan.chains ?? {})).toEqual(["a", "b"]);
  expect(plans[52]?.plan).toEqual({ version: 0, timeZone: "UTC", chains: {} });
});

it("who asks after a plan was published gets that one", async () => {
  const { reader, versions, found } = aReader();
  versions.set(1, 3);
  const early = reader.read(1, "a");
  versions.set(1, 4);
  expect((await reader.read(1, "a")).plan.version).toBe(4);
  await early;
  expect((await reader.read(1, "a")).plan.version).toBe(4);
  expect(found).toEqual([4]);
});

it("what could not be read is read again", async () => {
  const { reader, versions, world } = aReader();
  versions.set(1, 3);
  world.isAway = true;
  await expect(reader.read(1, "a")).rejects.toThrow("away");
  world.isAway = false;
  expect((await reader.read(1, "a")).plan.version).toBe(3);
});
