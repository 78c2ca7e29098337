CREATE TABLE "episode" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "episode_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"provider" text NOT NULL,
	"model" text NOT NULL,
	"endpoint" text NOT NULL,
	"opened_at" timestamp with time zone NOT NULL,
	"closed_at" timestamp with time zone,
	"last_seen_at" timestamp with time zone NOT NULL,
	"attempt_count" integer NOT NULL,
	"error_count" integer NOT NULL,
	"request_count" integer NOT NULL,
	"peak_ratio" double precision NOT NULL,
	"is_settled" boolean NOT NULL,
	CONSTRAINT "episode_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "episode_opened" UNIQUE("project_id","provider","model","endpoint","opened_at")
);
--> statement-breakpoint
CREATE TABLE "episode_run" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"settled_to" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "episode" ADD CONSTRAINT "episode_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "episode_run" ADD CONSTRAINT "episode_run_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "episode_time" ON "episode" USING btree ("project_id","opened_at");