CREATE TABLE "plan" (
	"project_id" integer NOT NULL,
	"version" integer NOT NULL,
	"document" json NOT NULL,
	"based_on" integer,
	"copy_of" integer,
	"author" jsonb NOT NULL,
	"publisher" jsonb,
	"reason" text,
	"created_at" timestamp with time zone NOT NULL,
	"published_at" timestamp with time zone,
	CONSTRAINT "plan_project_id_version_pk" PRIMARY KEY("project_id","version")
);
--> statement-breakpoint
CREATE TABLE "rehearsal" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "rehearsal_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"chain" text NOT NULL,
	"source" text,
	"sdk_version" text,
	"plan_version" integer,
	"case_count" integer NOT NULL,
	"is_ok" boolean NOT NULL,
	"targets" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"duration_ms" bigint NOT NULL,
	"received_at" timestamp with time zone NOT NULL,
	CONSTRAINT "rehearsal_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "router_instance" (
	"project_id" integer NOT NULL,
	"instance" text NOT NULL,
	"chain" text NOT NULL,
	"source" text,
	"sdk_version" text,
	"plan_version" integer,
	"plan_since" timestamp with time zone NOT NULL,
	"targets" jsonb NOT NULL,
	"problems" jsonb NOT NULL,
	"started_at" timestamp with time zone NOT NULL,
	"last_seen_at" timestamp with time zone NOT NULL,
	CONSTRAINT "router_instance_project_id_instance_pk" PRIMARY KEY("project_id","instance")
);
--> statement-breakpoint
ALTER TABLE "plan" ADD CONSTRAINT "plan_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "rehearsal" ADD CONSTRAINT "rehearsal_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "router_instance" ADD CONSTRAINT "router_instance_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "router_instance_seen" ON "router_instance" USING btree ("project_id","last_seen_at");