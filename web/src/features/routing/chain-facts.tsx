import type { PlanChain } from "../../../../server/contract/plan.ts";
import { useNow } from "../../app/view.tsx";
import layout from "../../components/page.module.css";
import { hourOfWeekAt } from "../../time/zone.ts";
import { blockPerHour, listBlocks } from "./blocks.ts";
import { OrderChips } from "./order-chips.tsx";
import styles from "./routing-page.module.css";
import { useRouting } from "./use-routing.ts";
import { describeWindow } from "./words.ts";

export interface ChainFactsProps {
  readonly name: string;
  readonly chain: PlanChain;
  /** IANA zone in which its hours are read. */
  readonly zone: string;
}

/** A chain in words: who is asked first, when another order holds, what is avoided. */
export function ChainFacts({ name, chain, zone }: ChainFactsProps) {
  const routing = useRouting();
  const words = routing.force;
  const nowMs = useNow();
  const { targets = [], schedule, avoid = [], floor } = chain;
  const holding = blockPerHour(schedule)[hourOfWeekAt(nowMs, zone)] ?? -1;
  const head = (text: string, isNow: boolean) => (
    <dt data-now={isNow || undefined}>{isNow ? `${text} (${words.now})` : text}</dt>
  );
  return (
    <article className={styles["chain"]}>
      <h3>{`${words.chain} ${name}`}</h3>
      <dl className={styles["facts"]}>
        {head(words.usual, holding === -1)}
        <dd>
          {targets.length === 0 ? (
            words.ownTargets
          ) : (
            <OrderChips ids={targets.map(({ id }) => id)} targets={targets} />
          )}
        </dd>
        {listBlocks(schedule).map(({ order, entries }, at) => (
          <div key={order.join("\n")}>
            {head(entries.map((entry) => describeWindow(entry, routing)).join("; "), holding === at)}
            <dd>
              <OrderChips ids={order} targets={targets} />
            </dd>
          </div>
        ))}
        {avoid.map(({ target, windows }) => (
          <div key={target}>
            <dt>{windows.map((window) => describeWindow(window, routing)).join("; ")}</dt>
            <dd>{words.avoids(target)}</dd>
          </div>
        ))}
      </dl>
      {floor !== undefined && <p className={layout["soft"]}>{words.floor(floor)}</p>}
    </article>
  );
}
