CREATE TABLE "status_component" (
	"project_id" integer NOT NULL,
	"id" text NOT NULL,
	"position" integer NOT NULL,
	"name" jsonb NOT NULL,
	"about" jsonb NOT NULL,
	"mode" text NOT NULL,
	"targets" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "status_component_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "status_note" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "status_note_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"public_id" text NOT NULL,
	"kind" text NOT NULL,
	"impact" text NOT NULL,
	"title" jsonb NOT NULL,
	"component_ids" text[] NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	CONSTRAINT "status_note_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "status_note_public_id" UNIQUE("project_id","public_id")
);
--> statement-breakpoint
CREATE TABLE "status_page" (
	"project_id" integer PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"is_public" boolean NOT NULL,
	"is_indexed" boolean NOT NULL,
	"shows_volumes" boolean NOT NULL,
	"name" jsonb NOT NULL,
	"about" jsonb NOT NULL,
	"home_url" text,
	"updated_at" timestamp with time zone NOT NULL,
	CONSTRAINT "status_page_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "status_update" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "status_update_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"note_id" bigint NOT NULL,
	"public_id" text NOT NULL,
	"state" text NOT NULL,
	"body" jsonb NOT NULL,
	"at" timestamp with time zone NOT NULL,
	CONSTRAINT "status_update_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "status_word" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "status_word_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"component_id" text NOT NULL,
	"state" text NOT NULL,
	"from_at" timestamp with time zone NOT NULL,
	"to_at" timestamp with time zone,
	CONSTRAINT "status_word_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "status_component" ADD CONSTRAINT "status_component_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_note" ADD CONSTRAINT "status_note_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_page" ADD CONSTRAINT "status_page_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_update" ADD CONSTRAINT "status_update_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "status_word" ADD CONSTRAINT "status_word_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "status_note_time" ON "status_note" USING btree ("project_id","starts_at");--> statement-breakpoint
CREATE INDEX "status_update_note" ON "status_update" USING btree ("project_id","note_id");--> statement-breakpoint
CREATE INDEX "status_word_component" ON "status_word" USING btree ("project_id","component_id","from_at");