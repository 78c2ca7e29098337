CREATE TABLE "reporter_drop" (
	"project_id" integer NOT NULL,
	"source" text NOT NULL,
	"reporter_id" uuid NOT NULL,
	"dropped_count" bigint NOT NULL,
	"last_dropped_at" timestamp with time zone NOT NULL,
	CONSTRAINT "reporter_drop_project_id_source_reporter_id_pk" PRIMARY KEY("project_id","source","reporter_id")
);
--> statement-breakpoint
ALTER TABLE "reporter_drop" ADD CONSTRAINT "reporter_drop_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;