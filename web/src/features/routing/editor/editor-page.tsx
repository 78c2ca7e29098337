import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { ChainOrders } from "../../../../../server/contract/orders.ts";
import type { PlanDocument, PlanVersion } from "../../../../../server/contract/plan.ts";
import { toPath } from "../../../api/paths.ts";
import { ordersQuery, planQuery } from "../../../api/queries.ts";
import { useChange } from "../../../api/use-change.ts";
import { useScope } from "../../../app/use-scope.ts";
import { useMayWrite, useView } from "../../../app/view.tsx";
import { Choice } from "../../../components/choice.tsx";
import controls from "../../../components/controls.module.css";
import { Form, Refusal } from "../../../components/form.tsx";
import layout from "../../../components/page.module.css";
import { Panel } from "../../../components/panel.tsx";
import { TextField } from "../../../components/text-field.tsx";
import { usePageParam } from "../../../components/use-page-param.ts";
import { listTimeZones } from "../../../time/zone.ts";
import { useRouting } from "../use-routing.ts";
import { ChainEditor } from "./chain-editor.tsx";
import { addChain, changeChain, removeChain } from "./draft.ts";
import styles from "./editor.module.css";
import { applyOrders } from "./from-advice.ts";

/** Writes a plan: begun from the published one, from a version that is named, or from nothing. */
export function EditorPage() {
  const words = useRouting().editor;
  const { project } = useView();
  const [text] = usePageParam("version");
  const start = useQuery({ ...planQuery(project.slug, text === null ? null : Number(text)), ...STAYS });
  const published = useQuery({ ...planQuery(project.slug), ...STAYS });
  const mayWrite = useMayWrite();
  const from = start.data?.plan ?? null;
  const [advised] = usePageParam("advice");
  // Advice is asked for in the zone of the plan, whose hours it is to become.
  const zone = from?.document.timeZone ?? project.timeZone;
  const isAsked = advised !== null && start.data !== undefined;
  const orders = useQuery({ ...ordersQuery(project.slug, zone), ...STAYS, enabled: isAsked });
  const order = orders.data?.chains.find(({ chain }) => chain === advised);
  return (
    <Panel
      title={from === null ? words.first : words.basedOn(from.version)}
      note={words.reviewNote}
      state={text === null ? published : start}
      skeleton="high"
    >
      {(data) =>
        !mayWrite ? (
          <p className={layout["soft"]}>{words.editorsOnly}</p>
        ) : (
          published.data !== undefined &&
          (advised === null || !orders.isPending) && (
            <Editor
              key={data.plan?.version ?? 0}
              start={data.plan?.document ?? emptyPlan(project.timeZone, advised)}
              advised={order ?? null}
              basedOn={published.data.plan?.version ?? 0}
            />
          )
        )
      }
    </Panel>
  );
}

const emptyPlan = (timeZone: string, chain: string | null): PlanDocument => ({
  timeZone,
  chains: { [chain ?? "default"]: {} },
});

/** What one edits does not change under one's hands; a newer version is told of when it is to be published. */
const STAYS = {
  refetchInterval: false,
  refetchOnWindowFocus: false,
  staleTime: Number.POSITIVE_INFINITY,
} as const;

interface EditorProps {
  readonly start: PlanDocument;
  readonly basedOn: number;
  /** Orders to begin with. */
  readonly advised: ChainOrders | null;
}

function Editor({ start, basedOn, advised }: EditorProps) {
  const words = useRouting().editor;
  const { project } = useView();
  const { link } = useScope();
  const [, navigate] = useLocation();
  const [plan, setPlan] = useState(() => (advised === null ? start : applyOrders(start, advised)));
  const [name, setName] = useState(() => advised?.chain ?? Object.keys(start.chains)[0] ?? "");
  const [purpose, setPurpose] = useState("");
  const keep = useChange<PlanVersion>(({ version }) => navigate(link("/routing/version", {}, { version })));
  const chain = plan.chains[name];
  const send = () => {
    const { version: _, ...document } = plan;
    keep.mutate({
      method: "POST",
      path: toPath("/api/plans", { project: project.slug }),
      body: { document, basedOn, ...(purpose.trim() === "" ? {} : { reason: purpose }) },
    });
  };
  return (
    <>
      <div className={styles["row"]}>
        <Choice
          label={words.zone}
          value={plan.timeZone}
          options={listTimeZones(plan.timeZone).map((zone) => [zone, zone])}
          onChange={(timeZone) => setPlan({ ...plan, timeZone })}
        />
        <ChainChoice plan={plan} name={name} onName={setName} onPlan={setPlan} />
      </div>
      {chain !== undefined && (
        <ChainEditor
          key={name}
          chain={chain}
          onChange={(change) => setPlan((before) => changeChain(before, name, change))}
        />
      )}
      <Form onSubmit={send}>
        <TextField label={words.purpose} value={purpose} onChange={setPurpose} maxLength={500} />
        <button type="submit" className={controls["primary"]} disabled={plan === start || keep.isPending}>
          {words.review}
        </button>
        {plan !== start && (
          <button type="button" className={controls["quiet"]} onClick={() => setPlan(start)}>
            {words.discard}
          </button>
        )}
      </Form>
      {plan !== start && (
        <p className={layout["soft"]} role="status">
          {words.unsaved}
        </p>
      )}
      <Refusal error={keep.error} />
    </>
  );
}

interface ChainChoiceProps {
  readonly plan: PlanDocument;
  readonly name: string;
  readonly onName: (name: string) => void;
  readonly onPlan: (plan: PlanDocument) => void;
}

function ChainChoice({ plan, name, onName, onPlan }: ChainChoiceProps) {
  const words = useRouting().editor;
  const [added, setAdded] = useState("");
  const names = Object.keys(plan.chains);
  const fresh = added.trim();
  return (
    <>
      {names.length > 0 && (
        <Choice label={words.chain} value={name} options={names.map((one) => [one, one])} onChange={onName} />
      )}
      {names.length > 1 && (
        <button
          type="button"
          className={controls["danger"]}
          onClick={() => {
            onPlan(removeChain(plan, name));
            onName(names.find((one) => one !== name) ?? "");
          }}
        >
          {words.removeChain(name)}
        </button>
      )}
      <TextField label={words.chainName} value={added} onChange={setAdded} maxLength={200} />
      <button
        type="button"
        className={controls["button"]}
        disabled={fresh === "" || names.includes(fresh)}
        onClick={() => {
          onPlan(addChain(plan, fresh));
          onName(fresh);
          setAdded("");
        }}
      >
        {words.addChain}
      </button>
    </>
  );
}
