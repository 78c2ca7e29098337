import type { AnyAdviceAnswer, TargetAdviceAnswer } from "../../../../server/contract/advice.ts";
import { isSameTarget, nameApart } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import type { Target } from "../../app/scope.ts";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import table from "../../components/table.module.css";
import styles from "./advice-cards.module.css";
import { describeDays, summariseBacktest } from "./windows.ts";

export interface AdviceCardsProps {
  readonly any: AnyAdviceAnswer | null;
  readonly advised: readonly TargetAdviceAnswer[];
  readonly others: readonly TargetAdviceAnswer[];
  readonly picked: Target | null;
  readonly onPick: (target: Target | null) => void;
}

export function AdviceCards({ any, advised, others, picked, onPick }: AdviceCardsProps) {
  const { advice } = useMessages();
  const names = nameApart([...advised, ...others]);
  return (
    <section aria-label={advice.cards} className={styles["section"]}>
      <ul className={styles["cards"]}>
        {any?.verdict === "advise" && <AnyCard any={any} isPicked={picked === null} onPick={onPick} />}
        {advised.map((target, i) => (
          <Card
            key={`${target.provider}\n${names[i]}`}
            target={target}
            name={names[i] ?? target.model}
            isPicked={isSameTarget(picked, target)}
            onPick={onPick}
          />
        ))}
      </ul>
      {(others.length > 0 || (any !== null && any.verdict !== "advise")) && (
        <Others any={any} targets={others} names={names.slice(advised.length)} />
      )}
    </section>
  );
}

interface CardProps {
  readonly target: TargetAdviceAnswer;
  readonly name: string;
  readonly isPicked: boolean;
  readonly onPick: (target: Target | null) => void;
}

interface AnyCardProps {
  readonly any: AnyAdviceAnswer;
  readonly isPicked: boolean;
  readonly onPick: (target: null) => void;
}

/** For work that whichever model may do. */
function AnyCard({ any, isPicked, onPick }: AnyCardProps) {
  const { advice } = useMessages();
  return (
    <li className={styles["card"]} data-picked={isPicked || undefined}>
      <h2 className={styles["name"]}>{advice.any}</h2>
      <Windows windows={any.windows} />
      <p className={styles["gain"]}>{advice.use(nameApart(any.use))}</p>
      <details className={styles["evidence"]}>
        <summary>
          {advice.evidence}
          <span className="hidden"> {advice.any}</span>
        </summary>
        <Evidence target={any} />
      </details>
      <button
        type="button"
        className={controls["quiet"]}
        aria-pressed={isPicked}
        onClick={() => onPick(null)}
      >
        {advice.toGrid}
      </button>
    </li>
  );
}

function Windows({ windows }: Pick<TargetAdviceAnswer, "windows">) {
  const messages = useMessages();
  const { advice } = messages;
  const { formats } = useView();
  return windows.map((window) => (
    <div key={`${window.days.join()} ${window.from}`} className={styles["window"]}>
      <p className={styles["sentence"]}>
        {advice.run(advice.between(window.from, window.to), describeDays(window.days, messages, formats))}
      </p>
      <p className={styles["gain"]}>
        {advice.expected(formats.share(window.expected), formats.share(window.usual))}
      </p>
    </div>
  ));
}

/** A sentence first; how sure that is, one step deeper. */
function Card({ target, name, isPicked, onPick }: CardProps) {
  const { advice } = useMessages();
  const { provider, model, endpoint, windows } = target;
  return (
    <li className={styles["card"]} data-picked={isPicked || undefined}>
      <h2 className={styles["name"]}>{name}</h2>
      <Windows windows={windows} />
      <details className={styles["evidence"]}>
        <summary>
          {advice.evidence}
          <span className="hidden"> {name}</span>
        </summary>
        <Evidence target={target} />
      </details>
      <button
        type="button"
        className={controls["quiet"]}
        aria-pressed={isPicked}
        onClick={() => onPick(isPicked ? null : { provider, model, endpoint })}
      >
        {advice.toGrid}
      </button>
    </li>
  );
}

function Evidence({
  target: { windows, weekly, backtest },
}: {
  target: Pick<TargetAdviceAnswer, "windows" | "weekly" | "backtest">;
}) {
  const messages = useMessages();
  const { advice } = messages;
  const { formats } = useView();
  const tried = summariseBacktest(backtest);
  return (
    <div className={styles["proof"]}>
      <dl>
        {windows.map((window) => (
          <div key={`${window.days.join()} ${window.from}`}>
            {windows.length > 1 && (
              <p className={styles["of"]}>
                {describeDays(window.days, messages, formats)} {advice.between(window.from, window.to)}
              </p>
            )}
            <dt>{advice.figures.interval}</dt>
            <dd>{formats.shareRange(window.low, window.high)}</dd>
            <dt>{advice.figures.worst}</dt>
            <dd>{formats.share(window.worst)}</dd>
            <dt>{advice.figures.n}</dt>
            <dd>{formats.count(window.n)}</dd>
          </div>
        ))}
      </dl>
      <p>
        {tried === null
          ? advice.triedNone
          : advice.tried(formats.share(tried.inWindow), formats.share(tried.usual), backtest.length)}
      </p>
      {weekly !== null && (
        <p>
          {advice.weekly(
            advice.between(weekly.from, weekly.to),
            describeDays(weekly.days, messages, formats),
            formats.share(weekly.expected),
          )}
        </p>
      )}
      {backtest.length > 0 && (
        <table className={table["table"]}>
          <thead>
            <tr>
              {(["week", "inWindow", "usual", "oracle"] as const).map((column) => (
                <th key={column} scope="col">
                  {advice.columns[column]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {backtest.map(({ week, inWindow, usual, oracle }) => (
              <tr key={week}>
                <th scope="row">{week}</th>
                <td>{formats.share(inWindow)}</td>
                <td>{formats.share(usual)}</td>
                <td>{formats.share(oracle)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}

interface OthersProps {
  readonly any: AnyAdviceAnswer | null;
  readonly targets: readonly TargetAdviceAnswer[];
  readonly names: readonly string[];
}

/** No advice is an answer, too. */
function Others({ any, targets, names }: OthersProps) {
  const { advice } = useMessages();
  const why = ({ verdict, moreDays }: TargetAdviceAnswer) =>
    verdict === "tooLittleData"
      ? advice.verdicts.tooLittleData(moreDays)
      : verdict === "noPattern"
        ? advice.verdicts.noPattern
        : advice.verdicts.noGain;
  return (
    <div className={styles["others"]}>
      <h2 className={styles["name"]}>{advice.others}</h2>
      <dl>
        {any !== null && any.verdict !== "advise" && (
          <div>
            <dt>{advice.any}</dt>
            <dd>{advice.verdicts[any.verdict]}</dd>
          </div>
        )}
        {targets.map((target, i) => (
          <div key={`${target.provider}\n${names[i]}`}>
            <dt>{names[i]}</dt>
            <dd>{why(target)}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
