import type { Replay, ReplayedChain, ReplayedTarget } from "../../../../server/contract/replay.ts";
import { useView } from "../../app/view.tsx";
import layout from "../../components/page.module.css";
import { RowsTable } from "../../components/rows-table.tsx";
import styles from "./routing-page.module.css";
import { useRouting } from "./use-routing.ts";

/** What last week would have been, chain by chain, with what that takes for granted. */
export function ReplayedChains({ replay }: { replay: Replay }) {
  const words = useRouting().version;
  return (
    <>
      <div className={styles["chains"]}>
        {replay.chains.map((chain) => (
          <Chain key={chain.chain} of={chain} />
        ))}
      </div>
      <details className={styles["assumes"]}>
        <summary>{words.assumesTitle}</summary>
        <ul>
          {replay.assumes.map((code) => (
            <li key={code}>{words.assumes[code]}</li>
          ))}
        </ul>
      </details>
    </>
  );
}

function Chain({ of }: { of: ReplayedChain }) {
  const words = useRouting().version;
  const { formats } = useView();
  const { current, candidate } = of;
  const share = (value: number | null) => (value === null ? null : formats.share(value));
  const toRow = (target: ReplayedTarget) => ({
    id: target.target,
    cells: [
      target.target,
      formats.count(target.attempts),
      share(target.failureShare),
      share(target.capacityShare),
      share(target.asked),
      share(target.served),
    ],
  });
  return (
    <article>
      <h3>{`${of.chain} · ${words.requests(formats.count(of.requests))}`}</h3>
      {of.traffic === "targets" && <p className={layout["soft"]}>{words.byTargets}</p>}
      {candidate === null ? (
        <p className={layout["soft"]}>{words.noTraffic}</p>
      ) : (
        <dl className={styles["gains"]}>
          <Gain name={words.success} now={current?.success} then={candidate.success} as={formats.share} />
          <Gain
            name={words.firstTier}
            now={current?.firstTierShare}
            then={candidate.firstTierShare}
            as={formats.share}
          />
          <Gain
            name={words.attempts}
            now={current?.attemptsPerRequest}
            then={candidate.attemptsPerRequest}
            as={(value) => value.toFixed(2)}
          />
        </dl>
      )}
      <RowsTable label={of.chain} heads={Object.values(words.targetColumns)} rows={of.targets.map(toRow)} />
    </article>
  );
}

interface GainProps {
  readonly name: string;
  readonly now: number | undefined;
  readonly then: number;
  readonly as: (value: number) => string;
}

function Gain({ name, now, then, as }: GainProps) {
  const words = useRouting().version;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {as(then)} {now !== undefined && <small>{`${words.now} ${as(now)}`}</small>}
      </dd>
    </div>
  );
}
