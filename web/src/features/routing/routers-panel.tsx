import { useQuery } from "@tanstack/react-query";
import type { RouterInstance } from "../../../../server/contract/router-instance.ts";
import { routersQuery } from "../../api/queries.ts";
import { useNow, useView } from "../../app/view.tsx";
import { StateIcon } from "../../components/icons.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import styles from "./routing-page.module.css";
import { type RoutingWords, useRouting } from "./use-routing.ts";

const LOOKS = {
  current: { tone: "good", icon: "room" },
  pending: { tone: "warn", icon: "tight" },
  behind: { tone: "bad", icon: "short" },
  silent: { tone: "soft", icon: "silent" },
} as const satisfies Record<RouterInstance["state"], object>;

/** Which app runs which version, asked again every few seconds. */
export function RoutersPanel() {
  const routing = useRouting();
  const words = routing.routers;
  const { project, formats } = useView();
  const nowMs = useNow(5_000);
  const routers = useQuery(routersQuery(project.slug));
  const toRow = (router: RouterInstance) => ({
    id: `${router.instance} ${router.chain}`,
    isOver: router.state === "silent",
    cells: [
      router.source ?? router.instance.slice(0, 8),
      router.chain,
      router.planVersion === null ? words.ownChain : words.version(router.planVersion),
      <RouterState key="state" router={router} />,
      describeTargets(router, words),
      formats.ago(Date.parse(router.lastSeenAt), nowMs),
    ],
  });
  return (
    <Panel
      title={words.title}
      note={words.note}
      state={routers}
      skeleton="low"
      isEmpty={(data) => data.routers.length === 0}
      empty={
        <>
          <p>{words.empty}</p>
          <pre className={styles["snippet"]}>
            <code>{`createRouter({ …, plan: { url: "${location.origin}", key: process.env.BUSYHOUR_KEY } })`}</code>
          </pre>
        </>
      }
    >
      {(data) => (
        <RowsTable label={words.title} heads={Object.values(words.columns)} rows={data.routers.map(toRow)} />
      )}
    </Panel>
  );
}

function RouterState({ router: { state, problems } }: { router: RouterInstance }) {
  const { routers } = useRouting();
  const { tone, icon } = LOOKS[state];
  return (
    <>
      <span className={styles["state"]} data-tone={tone}>
        <StateIcon state={icon} />
        {routers.states[state]}
      </span>
      {problems.length > 0 && (
        <details className={styles["problems"]}>
          <summary>
            {problems.some(({ isRefused }) => isRefused)
              ? routers.refused
              : routers.problems(problems.length)}
          </summary>
          <ul>
            {problems.map(({ pointer, detail }) => (
              <li key={`${pointer} ${detail}`}>
                <code>{pointer}</code> {detail}
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

type Words = RoutingWords["routers"];

/** `flagship resting, light ready`: those that are not ready first. */
function describeTargets({ targets }: RouterInstance, { targetStates }: Words): string | null {
  if (targets.length === 0) return null;
  return [...targets]
    .sort((a, b) => Number(a.state === "ready") - Number(b.state === "ready"))
    .map(({ target, state }) => `${target} ${targetStates[state]}`)
    .join(", ");
}
