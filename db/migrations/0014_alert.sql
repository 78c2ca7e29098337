CREATE TABLE "alert" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "alert_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"rule_id" integer NOT NULL,
	"rule_name" text NOT NULL,
	"severity" text NOT NULL,
	"group_by" text NOT NULL,
	"group_key" text NOT NULL,
	"subject" jsonb NOT NULL,
	"count_of" text NOT NULL,
	"outcomes" text[] NOT NULL,
	"channels" integer[],
	"remind_hours" integer,
	"k" double precision NOT NULL,
	"n" double precision NOT NULL,
	"value" double precision,
	"usual" double precision,
	"peak" double precision,
	"since_at" timestamp with time zone NOT NULL,
	"fired_at" timestamp with time zone NOT NULL,
	"told_at" timestamp with time zone,
	"told_again_at" timestamp with time zone,
	"seen_at" timestamp with time zone NOT NULL,
	"off_at" timestamp with time zone,
	"ended_at" timestamp with time zone,
	"acknowledged_at" timestamp with time zone,
	"acknowledged_by" jsonb,
	"acknowledged_note" text,
	"muted_by" text,
	"muted_by_id" integer,
	"muted_until" timestamp with time zone,
	"folded_under" integer,
	"cause" jsonb,
	"advised_order" text[],
	CONSTRAINT "alert_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "alert_rule" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "alert_rule_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"preset" text,
	"rule" jsonb NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "alert_rule_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "alert_rule_preset" UNIQUE("project_id","preset")
);
--> statement-breakpoint
CREATE TABLE "alert_run" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"closed_to" timestamp with time zone NOT NULL,
	"revision" bigint NOT NULL,
	"pending" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "alert_state" (
	"project_id" integer NOT NULL,
	"rule_id" integer NOT NULL,
	"made_of" text NOT NULL,
	"closed_to" timestamp with time zone NOT NULL,
	"groups" json NOT NULL,
	CONSTRAINT "alert_state_project_id_rule_id_pk" PRIMARY KEY("project_id","rule_id")
);
--> statement-breakpoint
CREATE TABLE "alert_usual" (
	"project_id" integer NOT NULL,
	"counted_key" text NOT NULL,
	"group_key" text NOT NULL,
	"shares" real[] NOT NULL,
	"calls" real[] NOT NULL,
	"spread" real NOT NULL,
	CONSTRAINT "alert_usual_project_id_counted_key_group_key_pk" PRIMARY KEY("project_id","counted_key","group_key")
);
--> statement-breakpoint
CREATE TABLE "alert_usual_run" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"made_of" text NOT NULL,
	"made_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "maintenance_window" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "maintenance_window_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"matcher" jsonb NOT NULL,
	"time_zone" text NOT NULL,
	"days" text[] NOT NULL,
	"starts_at" text NOT NULL,
	"length_minutes" integer NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"changed_at" timestamp with time zone NOT NULL,
	CONSTRAINT "maintenance_window_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "silence" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "silence_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"matcher" jsonb NOT NULL,
	"rule_id" integer,
	"from_at" timestamp with time zone NOT NULL,
	"until_at" timestamp with time zone NOT NULL,
	"reason" text NOT NULL,
	"author" jsonb NOT NULL,
	CONSTRAINT "silence_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "alert" ADD CONSTRAINT "alert_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_rule" ADD CONSTRAINT "alert_rule_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_run" ADD CONSTRAINT "alert_run_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_state" ADD CONSTRAINT "alert_state_rule" FOREIGN KEY ("project_id","rule_id") REFERENCES "public"."alert_rule"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_usual" ADD CONSTRAINT "alert_usual_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "alert_usual_run" ADD CONSTRAINT "alert_usual_run_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "maintenance_window" ADD CONSTRAINT "maintenance_window_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "silence" ADD CONSTRAINT "silence_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "alert_firing" ON "alert" USING btree ("project_id","rule_id","group_key") WHERE "alert"."ended_at" is null;--> statement-breakpoint
CREATE INDEX "alert_fired" ON "alert" USING btree ("project_id","fired_at");--> statement-breakpoint
CREATE INDEX "alert_folded" ON "alert" USING btree ("project_id","folded_under") WHERE "alert"."folded_under" is not null;--> statement-breakpoint
CREATE INDEX "silence_until" ON "silence" USING btree ("project_id","until_at");