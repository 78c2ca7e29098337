CREATE TABLE "api_key" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "api_key_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"prefix" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"last_used_at" timestamp with time zone,
	"revoked_at" timestamp with time zone,
	CONSTRAINT "api_key_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "api_key_hash_unique" UNIQUE("hash")
);
--> statement-breakpoint
CREATE TABLE "app_user" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "app_user_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"is_owner" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "installation" (
	"id" integer PRIMARY KEY DEFAULT 1 NOT NULL,
	"sealed_before" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "job_lease" (
	"name" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "project" (
	"id" integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY (sequence name "project_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"slug" text NOT NULL,
	"name" text NOT NULL,
	"time_zone" text DEFAULT 'UTC' NOT NULL,
	"is_sample" boolean DEFAULT false NOT NULL,
	"sample_seed" integer,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "project_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "session" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "sign_in_link" (
	"hash" "bytea" PRIMARY KEY NOT NULL,
	"user_id" integer NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "source_state" (
	"project_id" integer NOT NULL,
	"source" text NOT NULL,
	"last_event_at" timestamp with time zone,
	"last_received_at" timestamp with time zone NOT NULL,
	"accepted_count" bigint DEFAULT 0 NOT NULL,
	"duplicate_count" bigint DEFAULT 0 NOT NULL,
	"rejected_count" bigint DEFAULT 0 NOT NULL,
	"clock_offset_ms" bigint,
	"last_rejected_at" timestamp with time zone,
	"last_rejection_pointer" text,
	"last_rejection_detail" text,
	CONSTRAINT "source_state_project_id_source_pk" PRIMARY KEY("project_id","source")
);
--> statement-breakpoint
CREATE TABLE "attempt" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"occurred_at" timestamp with time zone NOT NULL,
	"event_id" uuid NOT NULL,
	"outcome" smallint NOT NULL,
	"http_status" smallint,
	"attempt" smallint,
	"position" smallint,
	"in_flight" smallint,
	"is_final" boolean NOT NULL,
	"is_stream" boolean,
	"latency_ms" integer,
	"first_token_ms" integer,
	"input_tokens" integer,
	"output_tokens" integer,
	"retry_after_ms" integer,
	"served_model_id" integer,
	"request_id" uuid,
	"evidence" jsonb,
	CONSTRAINT "attempt_project_id_occurred_at_event_id_pk" PRIMARY KEY("project_id","occurred_at","event_id")
) PARTITION BY RANGE ("occurred_at");
--> statement-breakpoint
-- Rows of no day partition land here instead of failing their batch; upkeep moves them to their day.
CREATE TABLE "attempt_default" PARTITION OF "attempt" DEFAULT;
--> statement-breakpoint
CREATE TABLE "series" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "series_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"source" text NOT NULL,
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"endpoint" text NOT NULL,
	"account" text NOT NULL,
	"chain" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "series_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "series_key" UNIQUE("project_id","source","provider","model","endpoint","account","chain")
);
--> statement-breakpoint
CREATE TABLE "served_model" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "served_model_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	CONSTRAINT "served_model_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "served_model_name" UNIQUE("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "touched_bucket" (
	"project_id" integer NOT NULL,
	"minute" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "attempt_rollup_15m" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"outcome" smallint NOT NULL,
	"attempt_count" integer NOT NULL,
	"final_count" integer NOT NULL,
	"degraded_count" integer NOT NULL,
	"retry_count" integer NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	"input_tokens_sum" bigint NOT NULL,
	"output_tokens_sum" bigint NOT NULL,
	CONSTRAINT "attempt_rollup_15m_project_id_series_id_bucket_start_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","outcome")
);
--> statement-breakpoint
CREATE TABLE "attempt_rollup_1d" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"outcome" smallint NOT NULL,
	"attempt_count" integer NOT NULL,
	"final_count" integer NOT NULL,
	"degraded_count" integer NOT NULL,
	"retry_count" integer NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	"input_tokens_sum" bigint NOT NULL,
	"output_tokens_sum" bigint NOT NULL,
	CONSTRAINT "attempt_rollup_1d_project_id_series_id_bucket_start_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","outcome")
);
--> statement-breakpoint
CREATE TABLE "attempt_rollup_1m" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"outcome" smallint NOT NULL,
	"attempt_count" integer NOT NULL,
	"final_count" integer NOT NULL,
	"degraded_count" integer NOT NULL,
	"retry_count" integer NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	"input_tokens_sum" bigint NOT NULL,
	"output_tokens_sum" bigint NOT NULL,
	CONSTRAINT "attempt_rollup_1m_project_id_series_id_bucket_start_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","outcome")
);
--> statement-breakpoint
CREATE TABLE "hour_profile" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"hour_of_week" smallint NOT NULL,
	"outcome" smallint NOT NULL,
	"attempt_count" integer NOT NULL,
	"final_count" integer NOT NULL,
	CONSTRAINT "hour_profile_project_id_series_id_hour_of_week_outcome_pk" PRIMARY KEY("project_id","series_id","hour_of_week","outcome")
);
--> statement-breakpoint
CREATE TABLE "hour_profile_run" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"time_zone" text NOT NULL,
	"range_from" timestamp with time zone NOT NULL,
	"range_to" timestamp with time zone NOT NULL,
	"is_stale" boolean NOT NULL,
	"computed_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "latency_rollup_15m" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"measure" smallint NOT NULL,
	"outcome" smallint NOT NULL,
	"bins" smallint[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "latency_rollup_15m_project_id_series_id_bucket_start_measure_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","measure","outcome")
);
--> statement-breakpoint
CREATE TABLE "latency_rollup_1d" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"measure" smallint NOT NULL,
	"outcome" smallint NOT NULL,
	"bins" smallint[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "latency_rollup_1d_project_id_series_id_bucket_start_measure_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","measure","outcome")
);
--> statement-breakpoint
CREATE TABLE "latency_rollup_1m" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"measure" smallint NOT NULL,
	"outcome" smallint NOT NULL,
	"bins" smallint[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "latency_rollup_1m_project_id_series_id_bucket_start_measure_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","measure","outcome")
);
--> statement-breakpoint
CREATE TABLE "unsettled_day" (
	"project_id" integer NOT NULL,
	"day" timestamp with time zone NOT NULL,
	CONSTRAINT "unsettled_day_project_id_day_pk" PRIMARY KEY("project_id","day")
);
--> statement-breakpoint
ALTER TABLE "api_key" ADD CONSTRAINT "api_key_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "sign_in_link" ADD CONSTRAINT "sign_in_link_user_id_app_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."app_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "source_state" ADD CONSTRAINT "source_state_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "session_user_id" ON "session" USING btree ("user_id");
--> statement-breakpoint
INSERT INTO "installation" ("id") VALUES (1);
--> statement-breakpoint
INSERT INTO "project" ("slug", "name") VALUES ('default', 'Default');
--> statement-breakpoint
INSERT INTO "app_user" ("name", "is_owner") VALUES ('Owner', true);
