CREATE TABLE "attempt_rollup_1h" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"outcome" smallint NOT NULL,
	"attempt_count" integer NOT NULL,
	"final_count" integer NOT NULL,
	"degraded_count" integer NOT NULL,
	"retry_count" integer NOT NULL,
	"latency_ms_sum" bigint NOT NULL,
	"input_tokens_sum" bigint NOT NULL,
	"output_tokens_sum" bigint NOT NULL,
	CONSTRAINT "attempt_rollup_1h_project_id_series_id_bucket_start_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","outcome")
);
--> statement-breakpoint
CREATE TABLE "latency_rollup_1h" (
	"project_id" integer NOT NULL,
	"series_id" integer NOT NULL,
	"bucket_start" timestamp with time zone NOT NULL,
	"measure" smallint NOT NULL,
	"outcome" smallint NOT NULL,
	"bins" smallint[] NOT NULL,
	"counts" integer[] NOT NULL,
	CONSTRAINT "latency_rollup_1h_project_id_series_id_bucket_start_measure_outcome_pk" PRIMARY KEY("project_id","series_id","bucket_start","measure","outcome")
);

--> statement-breakpoint
-- What the quarter-hours hold already.
INSERT INTO "attempt_rollup_1h"
SELECT "project_id", "series_id", date_trunc('hour', "bucket_start", 'UTC'), "outcome",
       sum("attempt_count"), sum("final_count"), sum("degraded_count"), sum("retry_count"),
       sum("latency_ms_sum"), sum("input_tokens_sum"), sum("output_tokens_sum")
  FROM "attempt_rollup_15m"
 GROUP BY 1, 2, 3, 4;
--> statement-breakpoint
INSERT INTO "latency_rollup_1h"
SELECT "project_id", "series_id", hour, "measure", "outcome", array_agg(bin ORDER BY bin), array_agg(n ORDER BY bin)
  FROM (SELECT "project_id", "series_id", date_trunc('hour', "bucket_start", 'UTC') AS hour, "measure", "outcome",
               bin, sum(n)::int AS n
          FROM "latency_rollup_15m" CROSS JOIN LATERAL unnest("bins", "counts") AS u (bin, n)
         GROUP BY 1, 2, 3, 4, 5, 6) AS merged
 GROUP BY 1, 2, 3, 4, 5;
