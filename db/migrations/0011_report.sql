CREATE TABLE "report" (
	"project_id" integer NOT NULL,
	"week" text NOT NULL,
	"document" json NOT NULL,
	"made_at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	CONSTRAINT "report_project_id_week_pk" PRIMARY KEY("project_id","week")
);
--> statement-breakpoint
ALTER TABLE "report" ADD CONSTRAINT "report_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;