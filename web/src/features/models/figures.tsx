import { useQuery } from "@tanstack/react-query";
import type { Cell, TargetFigures } from "../../../../server/contract/share.ts";
import { overviewQuery } from "../../api/queries.ts";
import { useEarlierOverview } from "../../api/use-earlier.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { RangeChoice } from "../../app/range.ts";
import { describeRange } from "../../app/range-picker.tsx";
import type { Target } from "../../app/scope.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { describeCell } from "../../components/cell.ts";
import { Failure } from "../../components/notice.tsx";
import { shareOf } from "../now/worst-changes.ts";
import styles from "./figures.module.css";

const USUAL_RANGE: RangeChoice = { kind: "last", text: "28d" };

/** The few numbers of a model over the range, each with the one of the period before. */
export function Figures({ target }: { target: Target }) {
  const messages = useMessages();
  const { scope } = useScope();
  const { project, formats } = useView();
  const range = scope.range ?? USUAL_RANGE;
  const earlier = useEarlierOverview({ project: project.slug, target }, range);
  const overview = useQuery(overviewQuery({ project: project.slug, target }, range));
  if (overview.data === undefined) {
    return overview.isError ? (
      <Failure error={overview.error} onRetry={() => overview.refetch()} />
    ) : (
      <div className={styles["pending"]} aria-busy="true" />
    );
  }
  const { total } = overview.data;
  const isUsual = scope.compare === null || scope.compare === "before";
  const totalBefore = isUsual ? overview.data.totalBefore : (earlier?.total ?? null);
  const comparison = messages.header.comparisons[scope.compare ?? "before"];
  return (
    <section aria-label={messages.models.figuresLabel} className={styles["box"]}>
      <dl className={styles["figures"]}>
        {listFigures(total, totalBefore).map(({ name, now, before }) => (
          <div key={name}>
            <dt>{messages.models.figures[name]}</dt>
            <dd>
              <strong>{tell(now)}</strong>
              <span>{detail(now)}</span>
              <span>{messages.models.against(before === null ? "–" : tellBefore(before))}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className={styles["note"]}>
        {messages.models.figuresNote(describeRange(range, messages, formats), comparison)}
      </p>
    </section>
  );

  function listFigures(now: TargetFigures, before: TargetFigures | null) {
    const pick = (of: TargetFigures) =>
      ({
        share: shareOf(of, scope.count),
        success: of.success,
        attempts: of.attempts,
        requests: of.requests,
        p95: { ms: of.latencyMs.p95 },
        firstToken: { ms: of.firstTokenMs.p50 },
      }) as const;
    const left = pick(now);
    const right = before === null ? null : pick(before);
    return NAMES.map((name) => ({ name, now: left[name], before: right === null ? null : right[name] }));
  }

  function tell(value: Figure): string {
    if (typeof value === "number") return formats.count(value);
    if ("ms" in value) return formats.milliseconds(value.ms);
    return describeCell(value, messages, formats).share;
  }

  /** A share of few calls is no measure to compare with. */
  function tellBefore(value: Figure): string {
    const isThin = typeof value === "object" && "state" in value && value.state !== "enough";
    return isThin ? messages.cell.tooFewToCompare : tell(value);
  }

  function detail(value: Figure): string {
    return typeof value === "object" && "state" in value
      ? describeCell(value, messages, formats).counts
      : "\u00a0";
  }
}

type Figure = number | Cell | { readonly ms: number | null };
const NAMES = ["share", "success", "attempts", "requests", "p95", "firstToken"] as const;
