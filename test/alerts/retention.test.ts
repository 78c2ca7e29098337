import { expect, it } from "vitest";
import { runUpkeep } from "../../server/retention/upkeep.ts";
import { insertAlert } from "../support/alerts.ts";
import { createTestDatabase } from "../support/database.ts";

const { sql } = await createTestDatabase();
const DAY_MS = 86_400_000;
const NOW = Date.parse("2026-11-29T12:00:00Z");

/** @param daysAgo when it was over; `null`: it goes on */
async function anAlert(daysAgo: number | null, foldedUnder: number | null = null): Promise<number> {
  const id = await insertAlert(sql);
  const endedAt = daysAgo === null ? null : new Date(NOW - daysAgo * DAY_MS);
  await sql`update alert set ended_at = ${endedAt}, folded_under = ${foldedUnder} where id = ${id}`;
  return id;
}

it("alerts and silences that ended 800 days ago go, with nothing that is still told of under them", async () => {
  await anAlert(900);
  const teller = await anAlert(900);
  const kept = [teller, await anAlert(10, teller), await anAlert(700), await anAlert(null)];
  for (const daysAgo of [900, 700]) {
    await sql`
      insert into silence (project_id, matcher, from_at, until_at, reason, author)
      select id, '{}', ${new Date(0)}, ${new Date(NOW - daysAgo * DAY_MS)}, ${String(daysAgo)}, '{}' from project
       where slug = 'default'`;
  }

  await runUpkeep(sql, NOW, 400);

  expect(await sql`select id from alert order by id`).toEqual(kept.map((id) => ({ id })));
  expect(await sql`select reason from silence`).toEqual([{ reason: "700" }]);
});
