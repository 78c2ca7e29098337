import { type ReactNode, useId, useState } from "react";
import type { PlanChain, PlanTarget } from "../../../../../server/contract/plan.ts";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import layout from "../../../components/page.module.css";
import { isSameOrder, listBlocks } from "../blocks.ts";
import { useRouting } from "../use-routing.ts";
import { describeWindow, letterOf } from "../words.ts";
import { dropTarget, putTarget, setField } from "./draft.ts";
import styles from "./editor.module.css";
import { OrderList } from "./order-list.tsx";
import { RetryFields } from "./retry-fields.tsx";
import { TargetDialog } from "./target-dialog.tsx";
import { type Brush, WeekPainter } from "./week-painter.tsx";

export interface ChainEditorProps {
  readonly chain: PlanChain;
  readonly onChange: (change: (chain: PlanChain) => PlanChain) => void;
}

export function ChainEditor({ chain, onChange }: ChainEditorProps) {
  const words = useRouting().editor;
  const { targets = [] } = chain;
  return (
    <>
      <Section title={words.targets} note={targets.length === 0 ? words.noTargets : words.targetsNote}>
        <Targets chain={chain} onChange={onChange} />
      </Section>
      {targets.length > 0 && (
        <Section title={words.week} note={words.weekNote}>
          <Week key={targets.map(({ id }) => id).join("\n")} chain={chain} onChange={onChange} />
        </Section>
      )}
      <Section title={words.retries} note={words.retriesNote}>
        <RetryFields chain={chain} onChange={onChange} />
      </Section>
    </>
  );
}

function Section({ title, note, children }: { title: string; note: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={styles["section"]} aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <p className={layout["soft"]}>{note}</p>
      {children}
    </section>
  );
}

function Targets({ chain, onChange }: ChainEditorProps) {
  const routing = useRouting();
  const words = routing.editor;
  const { targets = [], floor } = chain;
  const [edited, setEdited] = useState<PlanTarget | "new" | null>(null);
  const ids = targets.map(({ id }) => id);
  const tiers = [...new Set(targets.flatMap(({ tier }) => (tier === undefined ? [] : [tier])))];
  const find = (id: string) => targets.find((target) => target.id === id);
  const reorder = (order: readonly string[]) =>
    onChange((before) => ({
      ...before,
      targets: order.flatMap((id) => before.targets?.find((target) => target.id === id) ?? []),
    }));
  return (
    <>
      {ids.length > 0 && (
        <OrderList label={words.targets} ids={ids} onMove={reorder}>
          {(id) => {
            const target = find(id);
            if (target === undefined) return null;
            const { provider, model, tier, endpoint } = target;
            return (
              <>
                <span className={styles["what"]}>
                  {[provider, model, endpoint, tier].filter(Boolean).join(" · ")}
                </span>
                <button
                  type="button"
                  className={controls["quiet"]}
                  aria-label={words.editTarget(id)}
                  onClick={() => setEdited(target)}
                >
                  {words.edit}
                </button>
                <button
                  type="button"
                  className={controls["danger"]}
                  aria-label={words.removeTarget(id)}
                  onClick={() => onChange((before) => dropTarget(before, id))}
                >
                  {words.remove}
                </button>
              </>
            );
          }}
        </OrderList>
      )}
      <div className={styles["row"]}>
        <button type="button" className={controls["button"]} onClick={() => setEdited("new")}>
          {words.addTarget}
        </button>
        {ids.length > 0 && (
          <Choice
            label={words.floor}
            value={floor ?? ""}
            options={[
              ["", words.noFloor],
              ...[...new Set([...ids, ...tiers])].map((name) => [name, name] as const),
            ]}
            onChange={(name) =>
              onChange((before) => setField(before, "floor", name === "" ? undefined : name))
            }
          />
        )}
      </div>
      {edited !== null && (
        <TargetDialog
          target={edited === "new" ? null : edited}
          taken={ids.filter((id) => edited === "new" || id !== edited.id)}
          onSave={(target) => {
            onChange((before) => putTarget(before, target, edited === "new" ? null : edited.id));
            setEdited(null);
          }}
          onClose={() => setEdited(null)}
        />
      )}
    </>
  );
}

/** Orders and their hours. An order that holds in no hour yet lives here alone, until it is painted. */
function Week({ chain, onChange }: ChainEditorProps) {
  const routing = useRouting();
  const words = routing.editor;
  const ids = (chain.targets ?? []).map(({ id }) => id);
  const [kept, setKept] = useState<readonly (readonly string[])[]>(() =>
    listBlocks(chain.schedule).map(({ order }) => order),
  );
  const blocks = listBlocks(chain.schedule);
  const unknown = blocks
    .map(({ order }) => order)
    .filter((order) => !kept.some((one) => isSameOrder(one, order)));
  const orders = [...kept, ...unknown];
  const [brush, setBrush] = useState<Brush>(() => ({ order: orders[0] ?? null }));

  const addOrder = () => {
    // The usual one with its first target last, unless that is there already: some other one to begin with.
    const rotations = ids.map((_, at) => [...ids.slice(at), ...ids.slice(0, at)]);
    const order = rotations.slice(1).find((one) => !orders.some((other) => isSameOrder(one, other)));
    if (order === undefined) return;
    setKept([...orders, order]);
    setBrush({ order });
  };
  const changeOrder = (old: readonly string[], next: readonly string[]) => {
    if (orders.some((other) => isSameOrder(other, next))) return;
    setKept(orders.map((one) => (isSameOrder(one, old) ? next : one)));
    if ("order" in brush && brush.order !== null && isSameOrder(brush.order, old)) setBrush({ order: next });
    onChange((before) =>
      setField(
        before,
        "schedule",
        before.schedule?.map((entry) =>
          isSameOrder(entry.order, old) ? { ...entry, order: [...next] } : entry,
        ),
      ),
    );
  };
  const dropOrder = (order: readonly string[]) => {
    setKept(orders.filter((one) => !isSameOrder(one, order)));
    setBrush({ order: null });
    onChange((before) => {
      const schedule = before.schedule?.filter((entry) => !isSameOrder(entry.order, order)) ?? [];
      return setField(before, "schedule", schedule.length === 0 ? undefined : schedule);
    });
  };
  return (
    <>
      <WeekPainter chain={chain} orders={orders} brush={brush} onBrush={setBrush} onPaint={onChange} />
      <ul className={styles["orders"]}>
        {orders.map((order, at) => {
          const block = blocks.find((one) => isSameOrder(one.order, order));
          const letter = letterOf(at);
          return (
            <li key={letter}>
              <h4>
                <span className={styles["letter"]} data-letter={letter}>
                  {letter}
                </span>
                <span className="hidden">{words.orderHolds(letter)}</span>{" "}
                {block === undefined
                  ? words.noHours
                  : block.entries.map((entry) => describeWindow(entry, routing)).join("; ")}
              </h4>
              <OrderList
                label={words.order(letter)}
                ids={order}
                onMove={(next) => changeOrder(order, next)}
              />
              <button
                type="button"
                className={controls["danger"]}
                aria-label={words.removeOrder(letter)}
                onClick={() => dropOrder(order)}
              >
                {words.remove}
              </button>
            </li>
          );
        })}
      </ul>
      {ids.length > 1 && (
        <button type="button" className={controls["button"]} onClick={addOrder}>
          {words.newOrder}
        </button>
      )}
    </>
  );
}
