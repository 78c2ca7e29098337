import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import type { IngestAnswer } from "../../../../server/contract/attempt-event.ts";
import { sendJson } from "../../api/client.ts";
import { toPath } from "../../api/paths.ts";
import { sourcesQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useNow, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { LineIcon } from "../../components/icons.tsx";
import { Failure } from "../../components/notice.tsx";
import { sumArrivals } from "./arrivals.ts";
import styles from "./live-check.module.css";

const LOOK_EVERY_MS = 3_000;

/** Waiting, received, or what was wrong: told of the same list that the page below shows. */
export function LiveCheck() {
  const { sources } = useMessages();
  const { link } = useScope();
  const { project, formats } = useView();
  const nowMs = useNow(LOOK_EVERY_MS);
  const query = useQuery(sourcesQuery({ project: project.slug }, null, LOOK_EVERY_MS));
  if (query.data === undefined && query.isError) {
    return <Failure error={query.error} onRetry={() => query.refetch()} />;
  }
  const arrivals = sumArrivals(query.data?.sources ?? []);
  const { lastRejection, lastReceivedMs } = arrivals;
  const hasArrived = arrivals.accepted > 0;
  return (
    <>
      <div className={styles["check"]} data-state={hasArrived ? "received" : "waiting"} role="status">
        <p className={styles["line"]}>
          {hasArrived ? <LineIcon name="check" /> : <span className={styles["pulse"]} />}
          <strong>
            {hasArrived
              ? sources.received(formats.count(arrivals.accepted), arrivals.accepted)
              : sources.waiting}
          </strong>
          {lastReceivedMs !== null && <span>{sources.receivedLast(formats.ago(lastReceivedMs, nowMs))}</span>}
          {hasArrived && <Link href={link("/")}>{sources.toNow}</Link>}
        </p>
        {lastRejection !== null && (
          <p className={styles["rejection"]}>
            {sources.rejectedLast} ({formats.count(arrivals.rejected)},{" "}
            {formats.ago(lastRejection.atMs, nowMs)}):{" "}
            <code>{sources.rejectedFix(lastRejection.pointer || "/", lastRejection.detail)}</code>
          </p>
        )}
      </div>
      <SendTest />
    </>
  );
}

/** One success and one capacity error, now, by the way that every event takes. */
function toTestEvents(nowMs: number) {
  const common = { source: "busyhour-test", provider: "test", model: "test-model" };
  return [
    { outcome: "ok", httpStatus: 200, latencyMs: 640 },
    { outcome: "capacity", httpStatus: 503, latencyMs: 80 },
  ].map((result) => ({
    eventId: crypto.randomUUID?.() ?? `test-${nowMs}-${result.outcome}`,
    occurredAt: new Date(nowMs).toISOString(),
    ...common,
    ...result,
  }));
}

function SendTest() {
  const { sources } = useMessages();
  const { project, formats } = useView();
  const queries = useQueryClient();
  const send = useMutation({
    mutationFn: () =>
      sendJson<IngestAnswer>("POST", toPath("/v1/attempts", { project: project.slug }), {
        attempts: toTestEvents(Date.now()),
      }),
    onSuccess: () => queries.invalidateQueries({ queryKey: ["sources"] }),
  });
  return (
    <div className={styles["test"]}>
      <button
        type="button"
        className={controls["button"]}
        disabled={send.isPending}
        onClick={() => send.mutate()}
      >
        {send.isPending ? sources.testing : sources.test}
      </button>
      <p role="status">
        {send.isError
          ? sources.testFailed(send.error.message)
          : send.isSuccess
            ? sources.testDone(formats.count(send.data.accepted), formats.count(send.data.rejected.length))
            : sources.testHint}
      </p>
    </div>
  );
}
