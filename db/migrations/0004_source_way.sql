CREATE TABLE "source_way" (
	"project_id" integer NOT NULL,
	"source" text NOT NULL,
	"via" text NOT NULL,
	"instrument" text NOT NULL,
	"last_received_at" timestamp with time zone NOT NULL,
	"call_count" bigint NOT NULL,
	"failure_count" bigint NOT NULL,
	CONSTRAINT "source_way_project_id_source_via_instrument_pk" PRIMARY KEY("project_id","source","via","instrument")
);
--> statement-breakpoint
ALTER TABLE "source_way" ADD CONSTRAINT "source_way_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;