CREATE TABLE "classification_rule" (
	"project_id" integer NOT NULL,
	"place" smallint NOT NULL,
	"rule" jsonb NOT NULL,
	CONSTRAINT "classification_rule_project_id_place_pk" PRIMARY KEY("project_id","place")
);
--> statement-breakpoint
ALTER TABLE "classification_rule" ADD CONSTRAINT "classification_rule_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;