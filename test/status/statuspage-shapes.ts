import { z } from "zod";

/**
 * Statuspage's public API, version 2, as its documentation describes it, written here a second time: readers of it rely
 * on these fields. What Statuspage calls required may not be missing; what it may add is allowed.
 */
const time = z.iso.datetime({ offset: true });

const page = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  url: z.url(),
  time_zone: z.string().min(1),
  updated_at: time,
});

const status = z.object({
  indicator: z.enum(["none", "minor", "major", "critical"]),
  description: z.string().min(1),
});

const component = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  status: z.enum([
    "operational",
    "degraded_performance",
    "partial_outage",
    "major_outage",
    "under_maintenance",
  ]),
  created_at: time,
  updated_at: time,
  position: z.int().positive(),
  description: z.string().nullable(),
  showcase: z.boolean(),
  start_date: z.string().nullable(),
  group_id: z.string().nullable(),
  page_id: z.string(),
  group: z.boolean(),
  only_show_if_degraded: z.boolean(),
});

const update = z.object({
  id: z.string().min(1),
  status: z.string().min(1),
  body: z.string(),
  incident_id: z.string(),
  created_at: time,
  updated_at: time,
  display_at: time,
  affected_components: z.array(z.unknown()).nullable(),
  deliver_notifications: z.boolean(),
});

const incident = z.object({
  id: z.string().min(1),
  name: z.string().min(1),
  status: z.enum(["investigating", "identified", "monitoring", "resolved", "postmortem"]),
  impact: z.enum(["none", "minor", "major", "critical"]),
  created_at: time,
  updated_at: time,
  monitoring_at: time.nullable(),
  resolved_at: time.nullable(),
  shortlink: z.url(),
  started_at: time,
  page_id: z.string(),
  incident_updates: z.array(update).min(1),
  components: z.array(component),
});

const maintenance = incident.extend({
  status: z.enum(["scheduled", "in_progress", "verifying", "completed"]),
  impact: z.literal("maintenance"),
  scheduled_for: time,
  scheduled_until: time,
});

/** By file, under `/api/v2/`. */
export const STATUSPAGE_SHAPES = {
  "summary.json": z.object({
    page,
    components: z.array(component),
    incidents: z.array(incident),
    scheduled_maintenances: z.array(maintenance),
    status,
  }),
  "status.json": z.object({ page, status }),
  "components.json": z.object({ page, components: z.array(component) }),
  "incidents.json": z.object({ page, incidents: z.array(incident).max(50) }),
  "incidents/unresolved.json": z.object({ page, incidents: z.array(incident) }),
  "scheduled-maintenances.json": z.object({ page, scheduled_maintenances: z.array(maintenance).max(50) }),
  "scheduled-maintenances/upcoming.json": z.object({ page, scheduled_maintenances: z.array(maintenance) }),
  "scheduled-maintenances/active.json": z.object({ page, scheduled_maintenances: z.array(maintenance) }),
} as const;
