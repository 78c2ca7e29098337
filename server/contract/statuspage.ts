import { z } from "zod";
import { instant } from "./share.ts";

/** The shapes of Statuspage's public API, version 2, in its own spelling, so that its readers read ours. */

const page = z
  .object({ id: z.string(), name: z.string(), url: z.string(), time_zone: z.string(), updated_at: instant })
  .meta({ id: "StatuspagePage" });

export const indicator = z.enum(["none", "minor", "major", "critical"]);

export const status = z.object({ indicator, description: z.string() }).meta({ id: "StatuspageStatus" });

export const componentStatus = z.enum([
  "operational",
  "degraded_performance",
  "partial_outage",
  "major_outage",
  "under_maintenance",
]);

export const component = z
  .object({
    id: z.string(),
    name: z.string(),
    status: componentStatus,
    created_at: instant,
    updated_at: instant,
    position: z.int(),
    description: z.string().nullable(),
    showcase: z.boolean(),
    start_date: z.iso.date().nullable(),
    group_id: z.null(),
    page_id: z.string(),
    group: z.literal(false),
    only_show_if_degraded: z.literal(false),
  })
  .meta({ id: "StatuspageComponent" });

const incidentStatus = z.enum(["investigating", "identified", "monitoring", "resolved"]);
const maintenanceStatus = z.enum(["scheduled", "in_progress", "verifying", "completed"]);

const update = {
  id: z.string(),
  body: z.string(),
  incident_id: z.string(),
  created_at: instant,
  updated_at: instant,
  display_at: instant,
  affected_components: z
    .array(
      z.object({
        code: z.string(),
        name: z.string(),
        old_status: componentStatus,
        new_status: componentStatus,
      }),
    )
    .nullable(),
  deliver_notifications: z.boolean(),
  custom_tweet: z.null(),
  tweet_id: z.null(),
};

const incidentParts = {
  id: z.string(),
  name: z.string(),
  created_at: instant,
  updated_at: instant,
  monitoring_at: instant.nullable(),
  resolved_at: instant.nullable(),
  shortlink: z.string(),
  started_at: instant,
  page_id: z.string(),
  components: z.array(component),
};

export const incident = z
  .object({
    ...incidentParts,
    status: incidentStatus,
    impact: z.enum(["none", "minor", "major", "critical"]),
    incident_updates: z.array(z.object({ ...update, status: incidentStatus })).describe("Newest first."),
  })
  .meta({ id: "StatuspageIncident" });

export const maintenance = z
  .object({
    ...incidentParts,
    status: maintenanceStatus,
    impact: z.literal("maintenance"),
    scheduled_for: instant,
    scheduled_until: instant,
    incident_updates: z.array(z.object({ ...update, status: maintenanceStatus })).describe("Newest first."),
  })
  .meta({ id: "StatuspageMaintenance" });

export const statusAnswer = z.object({ page, status }).meta({ id: "StatuspageStatusAnswer" });
export const componentsAnswer = z
  .object({ page, components: z.array(component) })
  .meta({ id: "StatuspageComponents" });
export const incidentsAnswer = z
  .object({ page, incidents: z.array(incident) })
  .meta({ id: "StatuspageIncidents" });
export const maintenancesAnswer = z
  .object({ page, scheduled_maintenances: z.array(maintenance) })
  .meta({ id: "StatuspageMaintenances" });
export const summaryAnswer = z
  .object({
    page,
    components: z.array(component),
    incidents: z.array(incident),
    scheduled_maintenances: z.array(maintenance),
    status,
  })
  .meta({ id: "StatuspageSummary" });

export type StatuspageComponent = z.infer<typeof component>;
export type StatuspageIncident = z.infer<typeof incident>;
export type StatuspageMaintenance = z.infer<typeof maintenance>;
export type StatuspageSummary = z.infer<typeof summaryAnswer>;
export type Indicator = z.infer<typeof indicator>;
