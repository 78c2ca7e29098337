import type { ISql } from "../../db/connect.ts";
import type { QueueSettings } from "../contract/queue.ts";

export const DEFAULT_SETTINGS: QueueSettings = {
  storesPayloads: false,
  payloadHours: 168,
  keptDays: 7,
  deadKeptDays: 30,
};

/** What the project decided, or the defaults. */
export async function getQueueSettings(sql: ISql, projectId: number): Promise<QueueSettings> {
  const [row] = await sql<QueueSettings[]>`
    select stores_payloads as "storesPayloads", payload_hours as "payloadHours", kept_days as "keptDays",
           dead_kept_days as "deadKeptDays"
      from job_setting where project_id = ${projectId}`;
  return row ?? DEFAULT_SETTINGS;
}

export async function putQueueSettings(tx: ISql, projectId: number, settings: QueueSettings): Promise<void> {
  const { storesPayloads, payloadHours, keptDays, deadKeptDays } = settings;
  await tx`
    insert into job_setting (project_id, stores_payloads, payload_hours, kept_days, dead_kept_days)
    values (${projectId}, ${storesPayloads}, ${payloadHours}, ${keptDays}, ${deadKeptDays})
        on conflict (project_id) do update
       set stores_payloads = excluded.stores_payloads, payload_hours = excluded.payload_hours,
           kept_days = excluded.kept_days, dead_kept_days = excluded.dead_kept_days`;
}

/** Takes away what is stored; jobs that need it will be dead. @returns how many there were */
export async function deletePayloads(tx: ISql, projectId: number): Promise<number> {
  const { count } = await tx`delete from job_payload where project_id = ${projectId}`;
  return count;
}
