import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  doublePrecision,
  foreignKey,
  index,
  integer,
  json,
  jsonb,
  pgTable,
  primaryKey,
  real,
  text,
  unique,
  uniqueIndex,
} from "drizzle-orm/pg-core";
import { type Actor, moment } from "./columns.ts";
import { projectId } from "./project-id.ts";

type Json = Readonly<Record<string, unknown>>;

/** When people want to be told of what. */
export const alertRule = pgTable(
  "alert_rule",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    /** Its name among the usual rules; `null`: made by somebody. */
    preset: text("preset"),
    /** As in `server/contract/alert-rule.ts`. */
    rule: jsonb("rule").$type<Json>().notNull(),
    version: integer("version").notNull().default(1),
    createdAt: moment("created_at").notNull(),
    changedAt: moment("changed_at").notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    unique("alert_rule_preset").on(table.projectId, table.preset),
  ],
);

/** How far a project's rules have looked. Its row is what servers take turns by. */
export const alertRun = pgTable("alert_run", {
  projectId: projectId().primaryKey(),
  /** Slots before it are closed: they are never looked at again. */
  closedTo: moment("closed_to").notNull(),
  /** Grows with each change of what rules remember: who remembers it by another number reads it anew. */
  revision: bigint("revision", { mode: "number" }).notNull(),
  /** What holds, but not for long enough to be told: for people who look. */
  pending: jsonb("pending").$type<readonly Json[]>().notNull(),
});

/**
 * What a rule remembers, of all of its groups in one row: they change together when a slot closes, and a row for each
 * would be a hundred thousand rows in a large project. Written with each change of what is told, else now and then: what
 * closed since is read again from rollups.
 */
export const alertState = pgTable(
  "alert_state",
  {
    projectId: integer("project_id").notNull(),
    ruleId: integer("rule_id").notNull(),
    /** The parts of the rule that it holds for: of another rule it means nothing. */
    madeOf: text("made_of").notNull(),
    /** Slots before it are in it. */
    closedTo: moment("closed_to").notNull(),
    /** Detector and life by group; as text, because only servers read it. */
    groups: json("groups").$type<Json>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.ruleId] }),
    foreignKey({
      name: "alert_state_rule",
      columns: [table.projectId, table.ruleId],
      foreignColumns: [alertRule.projectId, alertRule.id],
    }).onDelete("cascade"),
  ],
);

/** Trouble that a rule found in one of its groups, from when it fired until it was over. */
export const alert = pgTable(
  "alert",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    /** Refers to nothing: what was told stays when the rule is gone. */
    ruleId: integer("rule_id").notNull(),
    ruleName: text("rule_name").notNull(),
    severity: text("severity", { enum: ["critical", "warning", "info"] }).notNull(),
    groupBy: text("group_by").notNull(),
    groupKey: text("group_key").notNull(),
    /** Wider than its group once it stands for a whole provider. */
    subject: jsonb("subject").$type<Json>().notNull(),
    /** What is counted: `attempts`, `requests`, `degraded`, `events` or `amplification`. */
    countOf: text("count_of").notNull(),
    outcomes: text("outcomes").array().notNull(),
    /** Of the rule, when it fired. */
    channels: integer("channels").array(),
    remindHours: integer("remind_hours"),
    k: doublePrecision("k").notNull(),
    n: doublePrecision("n").notNull(),
    value: doublePrecision("value"),
    usual: doublePrecision("usual"),
    peak: doublePrecision("peak"),
    sinceAt: moment("since_at").notNull(),
    firedAt: moment("fired_at").notNull(),
    /** When channels were told first; `null`: they were not. */
    toldAt: moment("told_at"),
    /** When they were told last that it goes on. */
    toldAgainAt: moment("told_again_at"),
    seenAt: moment("seen_at").notNull(),
    /** Its own group is in trouble no more, but what is folded under it is. */
    offAt: moment("off_at"),
    /** `null`: it is firing. */
    endedAt: moment("ended_at"),
    acknowledgedAt: moment("acknowledged_at"),
    acknowledgedBy: jsonb("acknowledged_by").$type<Actor>(),
    acknowledgedNote: text("acknowledged_note"),
    /** `silence` or `maintenance`, its id, and until when it holds as far as is known. */
    mutedBy: text("muted_by", { enum: ["silence", "maintenance"] }),
    mutedById: integer("muted_by_id"),
    mutedUntil: moment("muted_until"),
    /** The alert that tells of this one. */
    foldedUnder: integer("folded_under"),
    cause: jsonb("cause").$type<Json>(),
    advisedOrder: text("advised_order").array(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    uniqueIndex("alert_firing")
      .on(table.projectId, table.ruleId, table.groupKey)
      .where(sql`${table.endedAt} is null`),
    index("alert_fired").on(table.projectId, table.firedAt),
    index("alert_folded").on(table.projectId, table.foldedUnder).where(sql`${table.foldedUnder} is not null`),
  ],
);

/** Channels are not told of alerts that match, until it ends. */
export const silence = pgTable(
  "silence",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    matcher: jsonb("matcher").$type<Json>().notNull(),
    /** `null`: alerts of every rule. */
    ruleId: integer("rule_id"),
    fromAt: moment("from_at").notNull(),
    untilAt: moment("until_at").notNull(),
    reason: text("reason").notNull(),
    author: jsonb("author").$type<Actor>().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.projectId, table.id] }),
    index("silence_until").on(table.projectId, table.untilAt),
  ],
);

/** The same at times that come again. */
export const maintenanceWindow = pgTable(
  "maintenance_window",
  {
    projectId: projectId(),
    id: integer("id").generatedAlwaysAsIdentity(),
    name: text("name").notNull(),
    isEnabled: boolean("is_enabled").notNull(),
    matcher: jsonb("matcher").$type<Json>().notNull(),
    /** IANA zone in which days and time are read. */
    timeZone: text("time_zone").notNull(),
    /** `mon` to `sun`: on these it begins. */
    days: text("days").array().notNull(),
    /** Time of day like `02:30`. */
    startsAt: text("starts_at").notNull(),
    lengthMinutes: integer("length_minutes").notNull(),
    version: integer("version").notNull().default(1),
    createdAt: moment("created_at").notNull(),
    changedAt: moment("changed_at").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.id] })],
);

/** What is usual of a group by hour of the week (0 = Monday 00:00 in the run's zone), learnt from earlier weeks. */
export const alertUsual = pgTable(
  "alert_usual",
  {
    projectId: projectId(),
    /** What is counted, of which series, and by which groups: rules that agree in it share it. */
    countedKey: text("counted_key").notNull(),
    groupKey: text("group_key").notNull(),
    /** Expected share, 168 values. */
    shares: real("shares").array().notNull(),
    /** Calls that each rests on. */
    calls: real("calls").array().notNull(),
    /** How alike calls of one hour are, 0-1. */
    spread: real("spread").notNull(),
  },
  (table) => [primaryKey({ columns: [table.projectId, table.countedKey, table.groupKey] })],
);

/** Of which hour, zone and rules a project's `alert_usual` is. */
export const alertUsualRun = pgTable("alert_usual_run", {
  projectId: projectId().primaryKey(),
  timeZone: text("time_zone").notNull(),
  madeOf: text("made_of").notNull(),
  madeAt: moment("made_at").notNull(),
});
