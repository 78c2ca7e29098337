CREATE TABLE "kept_answer" (
	"project_id" integer NOT NULL,
	"question" text NOT NULL,
	"history_version" integer NOT NULL,
	"plan_version" integer NOT NULL,
	"answer" json NOT NULL,
	"asked_at" timestamp with time zone,
	CONSTRAINT "kept_answer_project_id_question_pk" PRIMARY KEY("project_id","question")
);
--> statement-breakpoint
ALTER TABLE "hour_profile_run" ADD COLUMN "version" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "kept_answer" ADD CONSTRAINT "kept_answer_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;