import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { toPath } from "../../api/paths.ts";
import { type PlanWithDocument, planQuery, plansQuery } from "../../api/queries.ts";
import { useChange } from "../../api/use-change.ts";
import { useScope } from "../../app/use-scope.ts";
import { useIsAdmin, useMayWrite, useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { Refusal } from "../../components/form.tsx";
import { LineIcon } from "../../components/icons.tsx";
import { Panel } from "../../components/panel.tsx";
import { saveFile } from "../../components/share-out.ts";
import { PlanFacts } from "./plan-facts.tsx";
import styles from "./routing-page.module.css";
import { useRouting } from "./use-routing.ts";

/** The plan that routers are to run, and the way back to the one before. */
export function ForcePanel() {
  const routing = useRouting();
  const words = routing.force;
  const { project, formats } = useView();
  const { link } = useScope();
  const plan = useQuery(planQuery(project.slug));
  const mayWrite = useMayWrite();
  const current = plan.data?.plan ?? null;
  const note =
    current === null
      ? {}
      : {
          note: words.published(
            current.version,
            formats.dateTime(Date.parse(current.publishedAt ?? current.createdAt)),
            (current.publisher ?? current.author).name,
          ),
        };
  return (
    <Panel
      title={words.title}
      {...note}
      state={plan}
      skeleton="middle"
      isEmpty={(data) => data.plan === null}
      empty={
        <>
          <p>{words.none}</p>
          {mayWrite && (
            <>
              <p>{words.noneForAdmins}</p>
              <div className={styles["actions"]}>
                <Link href={link("/routing/edit")} className={controls["primary"]}>
                  {words.write}
                </Link>
              </div>
            </>
          )}
        </>
      }
    >
      {(data) => data.plan !== null && <Force plan={data.plan} />}
    </Panel>
  );
}

function Force({ plan }: { plan: PlanWithDocument }) {
  const words = useRouting().force;
  const { link } = useScope();
  const mayWrite = useMayWrite();
  return (
    <>
      {plan.reason !== null && <p>“{plan.reason}”</p>}
      <PlanFacts document={plan.document}>
        {mayWrite && (
          <Link href={link("/routing/edit")} className={controls["button"]}>
            {words.edit}
          </Link>
        )}
        <button
          type="button"
          className={controls["button"]}
          onClick={() =>
            saveFile(
              new Blob([`${JSON.stringify(plan.document, null, 2)}\n`], { type: "application/json" }),
              `plan-${plan.version}.json`,
            )
          }
        >
          <LineIcon name="download" />
          {words.download}
        </button>
        <RollBack from={plan.version} />
      </PlanFacts>
    </>
  );
}

/** One click to the version that was in force before: it can be taken back the same way. */
function RollBack({ from }: { from: number }) {
  const words = useRouting().force;
  const { project } = useView();
  const isAdmin = useIsAdmin();
  const versions = useInfiniteQuery(plansQuery(project.slug));
  const change = useChange();
  const earlier = versions.data?.pages.flatMap(({ plans }) => plans).find(({ state }) => state === "past");
  if (!isAdmin || earlier === undefined) return null;
  return (
    <>
      <button
        type="button"
        className={controls["danger"]}
        disabled={change.isPending}
        onClick={() =>
          change.mutate({
            method: "POST",
            path: toPath("/api/plans/rollback", { project: project.slug }),
            body: { version: earlier.version, basedOn: from, reason: words.rolledBack(from) },
          })
        }
      >
        {words.rollBack(earlier.version)}
      </button>
      <Refusal error={change.error} />
    </>
  );
}
