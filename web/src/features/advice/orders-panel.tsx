import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { ChainOrders, Orders } from "../../../../server/contract/orders.ts";
import { ordersQuery } from "../../api/queries.ts";
import { nameApart } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useMayWrite, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Panel } from "../../components/panel.tsx";
import type { Messages } from "../../messages/en.ts";
import styles from "./orders-panel.module.css";
import { describeDays } from "./windows.ts";

/** Which target to ask first, and when another one. */
export function OrdersPanel() {
  const { advice } = useMessages();
  const { project, zone } = useView();
  const orders = useQuery(ordersQuery(project.slug, zone));
  const note = orders.data === undefined ? "" : advice.orders.note(Math.round(orders.data.deadlineMs / 1000));
  return (
    <Panel<Orders>
      title={advice.orders.title}
      note={note}
      state={orders}
      isEmpty={({ chains }) => chains.length === 0}
      empty={advice.orders.empty}
      skeleton="low"
    >
      {({ chains }) => <Chains chains={chains} />}
    </Panel>
  );
}

function Chains({ chains }: Pick<Orders, "chains">) {
  const { advice } = useMessages();
  const { link } = useScope();
  const mayWrite = useMayWrite();
  const changed = chains.filter(({ verdict }) => verdict === "advise");
  const kept = chains.filter(({ verdict }) => verdict !== "advise");
  return (
    <>
      {changed.length > 0 && (
        <ul className={styles["list"]}>
          {changed.flatMap((chain) =>
            chain.blocks.map((block) => (
              <Block key={`${chain.chain} ${block.days.join()} ${block.from}`} chain={chain} block={block} />
            )),
          )}
        </ul>
      )}
      {mayWrite &&
        changed.map(({ chain }) => (
          <Link
            key={chain}
            href={link("/routing/edit", {}, { advice: chain })}
            className={controls["button"]}
          >
            {advice.orders.toPlan(chain)}
          </Link>
        ))}
      {kept.length > 0 && (
        <>
          <h3 className={styles["keep"]}>{advice.orders.keep}</h3>
          <dl className={styles["kept"]}>
            {kept.map((chain) => (
              <div key={chain.chain}>
                <dt>{chain.chain}</dt>
                <dd>{whyKept(chain, advice)}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </>
  );
}

function whyKept({ verdict, targets }: ChainOrders, { orders, verdicts }: Messages["advice"]): string {
  if (verdict === "tooLittleData")
    return verdicts.tooLittleData(Math.max(...targets.map(({ moreDays }) => moreDays)));
  return verdict === "noPattern" ? orders.verdicts.noPattern : orders.verdicts.noGain;
}

interface BlockProps {
  readonly chain: ChainOrders;
  readonly block: ChainOrders["blocks"][number];
}

/** Another order at some hours, and what it gains and costs. */
function Block({ chain: { chain, targets }, block }: BlockProps) {
  const messages = useMessages();
  const { orders } = messages.advice;
  const { formats } = useView();
  const { days, from, to, order, firstTry, success, topTier, requestsPerWeek } = block;
  const names = nameApart(targets);
  return (
    <li>
      <p>
        {orders.advise(
          chain,
          from === to ? orders.wholeDay : messages.advice.between(from, to),
          describeDays(days, messages, formats),
          order.map((place) => names[place] ?? "").join(" → "),
        )}
      </p>
      <p className={styles["why"]}>
        {[
          orders.gain(formats.share(firstTry.own), formats.share(firstTry.advised)),
          orders.gainRange(formats.points(firstTry.low), formats.points(firstTry.high)),
          orders.success(formats.share(success.own), formats.share(success.advised)),
          orders.tier(formats.share(topTier.own), formats.share(topTier.advised)),
          orders.requests(formats.count(requestsPerWeek)),
        ].join(" · ")}
      </p>
    </li>
  );
}
