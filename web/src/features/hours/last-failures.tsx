import { useQueries } from "@tanstack/react-query";
import { attemptsQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { Range } from "../../app/range.ts";
import type { Target } from "../../app/scope.ts";
import { useView } from "../../app/view.tsx";
import styles from "./hour-drawer.module.css";
import { spread } from "./sum-hours.ts";

/** So many of each time tell what waits are like. */
const MOST_ATTEMPTS = 100;
const SHOWN = 5;

/** What providers answered when they had no room, and how long they asked to wait. */
export function LastFailures({ target, ranges }: { target: Target | null; ranges: readonly Range[] }) {
  const { hour } = useMessages();
  const { project, formats } = useView();
  const where = { project: project.slug, target };
  const answers = useQueries({
    queries: ranges.map((range) =>
      attemptsQuery(where, { kind: "between", ...range }, "capacity", MOST_ATTEMPTS),
    ),
  });
  const attempts = answers.flatMap(({ data }) => data?.attempts ?? []);
  if (attempts.length === 0) return null;
  const waits = attempts.flatMap(({ retryAfterMs }) => (retryAfterMs === null ? [] : [retryAfterMs]));
  const wait = spread(waits);
  return (
    <section className={styles["part"]}>
      <h3>{hour.failures}</h3>
      <p className={styles["note"]}>
        {wait === null
          ? hour.noWaits
          : hour.waits(
              formats.milliseconds(wait.min),
              formats.milliseconds(wait.median),
              formats.milliseconds(wait.max),
              formats.count(waits.length),
              formats.count(attempts.length),
            )}
      </p>
      <ul className={styles["failures"]}>
        {attempts.slice(0, SHOWN).map((attempt) => (
          <li key={`${attempt.eventId}\n${attempt.occurredAt}`}>
            <span>
              {formats.dateTime(Date.parse(attempt.occurredAt))} · {attempt.model}
              {attempt.httpStatus === null ? "" : ` · ${attempt.httpStatus}`}
            </span>
            <code>
              {[attempt.error?.type, attempt.error?.code, attempt.error?.message]
                .filter((part) => part !== undefined && part !== "")
                .join(" · ") || hour.noText}
            </code>
          </li>
        ))}
      </ul>
    </section>
  );
}
