CREATE TABLE "channel" (
	"project_id" integer NOT NULL,
	"id" integer GENERATED ALWAYS AS IDENTITY (sequence name "channel_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 2147483647 START WITH 1 CACHE 1),
	"name" text NOT NULL,
	"kind" text NOT NULL,
	"locale" text NOT NULL,
	"least_severity" text NOT NULL,
	"is_enabled" boolean NOT NULL,
	"settings" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"tokens" double precision,
	"tokens_at" timestamp with time zone,
	"paused_until" timestamp with time zone,
	"failing_since" timestamp with time zone,
	"failure_count" integer DEFAULT 0 NOT NULL,
	"broken_since" timestamp with time zone,
	"last_ok_at" timestamp with time zone,
	"last_failure" text,
	CONSTRAINT "channel_project_id_id_pk" PRIMARY KEY("project_id","id"),
	CONSTRAINT "channel_name" UNIQUE("project_id","name")
);
--> statement-breakpoint
CREATE TABLE "delivery" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "delivery_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel_id" integer NOT NULL,
	"notification_id" bigint,
	"at" timestamp with time zone NOT NULL,
	"outcome" text NOT NULL,
	"try_number" integer NOT NULL,
	"title" text NOT NULL,
	"duration_ms" integer NOT NULL,
	"request_bytes" integer NOT NULL,
	"status" integer,
	"answer" text NOT NULL,
	"code" text,
	"next_try_at" timestamp with time zone,
	CONSTRAINT "delivery_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
CREATE TABLE "notification" (
	"project_id" integer NOT NULL,
	"id" bigint GENERATED ALWAYS AS IDENTITY (sequence name "notification_id_seq" INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START WITH 1 CACHE 1),
	"channel_id" integer NOT NULL,
	"notice" jsonb NOT NULL,
	"message_id" text NOT NULL,
	"state" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"try_count" integer DEFAULT 0 NOT NULL,
	"next_try_at" timestamp with time zone NOT NULL,
	"sending_at" timestamp with time zone,
	"is_uncertain" boolean DEFAULT false NOT NULL,
	"settled_at" timestamp with time zone,
	"digest_id" bigint,
	CONSTRAINT "notification_project_id_id_pk" PRIMARY KEY("project_id","id")
);
--> statement-breakpoint
ALTER TABLE "channel" ADD CONSTRAINT "channel_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "delivery" ADD CONSTRAINT "delivery_channel" FOREIGN KEY ("project_id","channel_id") REFERENCES "public"."channel"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_project_id_project_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."project"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "notification" ADD CONSTRAINT "notification_channel" FOREIGN KEY ("project_id","channel_id") REFERENCES "public"."channel"("project_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "delivery_of_channel" ON "delivery" USING btree ("project_id","channel_id","id");--> statement-breakpoint
CREATE INDEX "notification_waiting" ON "notification" USING btree ("project_id","channel_id","id") WHERE "notification"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "notification_created" ON "notification" USING btree ("project_id","created_at");