CREATE TABLE "capacity_rollup_15m" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"counted_attempts" integer NOT NULL,
	"capacity_attempts" integer NOT NULL,
	"counted_requests" integer NOT NULL,
	"capacity_requests" integer NOT NULL,
	CONSTRAINT "capacity_rollup_15m_project_id_series_id_bucket_start_pk" PRIMARY KEY("project_id","series_id","bucket_start")
);

--> statement-breakpoint
-- What the rollups hold already; the codes are those outcomes that the capacity share counts, 1 being capacity.
INSERT INTO "capacity_rollup_15m"
SELECT "project_id", "series_id", "bucket_start",
       sum("attempt_count"), coalesce(sum("attempt_count") FILTER (WHERE "outcome" = 1), 0),
       sum("final_count"), coalesce(sum("final_count") FILTER (WHERE "outcome" = 1), 0)
  FROM "attempt_rollup_15m"
 WHERE "outcome" IN (0, 1, 2, 10, 11, 12, 14)
 GROUP BY 1, 2, 3;
