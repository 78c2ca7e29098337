import { useQuery } from "@tanstack/react-query";
import { adviceQuery } from "../../api/queries.ts";
import { isSameTarget } from "../../app/describe-scope.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import { NothingHere } from "../../components/nothing-here.tsx";
import { Failure } from "../../components/notice.tsx";
import { usePageParam } from "../../components/use-page-param.ts";
import voice from "../../components/voice.module.css";
import { WeekPanel } from "../now/week-panel.tsx";
import { AdviceCards } from "./advice-cards.tsx";
import styles from "./advice-page.module.css";
import { ExportPanel } from "./export-panel.tsx";
import { OrdersPanel } from "./orders-panel.tsx";
import { hoursOfWindows, sortAdvice } from "./windows.ts";
import { readWish, WishControls } from "./wish.tsx";

const WEEK = "week";

/** When to run what can wait: a sentence per model, its evidence, and the hours in the week. */
export function AdvicePage() {
  const messages = useMessages();
  const { scope, change } = useScope();
  const { project, zone } = useView();
  const [length] = usePageParam("hours");
  const [allowed] = usePageParam("allowed");
  const wish = readWish(length, allowed);
  const advice = useQuery(adviceQuery({ project: project.slug, zone, ...wish }));
  const heading = <h1 className="hidden">{messages.advice.title}</h1>;
  if (advice.data?.targets.length === 0) return <NothingHere />;
  if (advice.data === undefined) {
    return (
      <>
        {heading}
        {advice.isError ? (
          <Failure error={advice.error} onRetry={() => advice.refetch()} />
        ) : (
          <div className={styles["pending"]} aria-busy="true" />
        )}
      </>
    );
  }
  const { advised, others } = sortAdvice(advice.data);
  const windows =
    scope.target === null
      ? advice.data.any?.windows
      : advised.find((target) => isSameTarget(target, scope.target))?.windows;
  return (
    <div className={styles["page"]}>
      <header className={voice["status"]}>
        {heading}
        <p className={voice["sentence"]}>
          {messages.advice.sentence(advised.length, advised.length + others.length)}
        </p>
        <p className={voice["basis"]}>{messages.advice.basis(zone)}</p>
      </header>
      <WishControls />
      <AdviceCards
        any={advice.data.any}
        advised={advised}
        others={others}
        picked={scope.target}
        onPick={(target) => {
          change({ target }, { replace: true });
          document.getElementById(WEEK)?.scrollIntoView({ block: "start" });
        }}
      />
      <div id={WEEK} className={styles["week"]}>
        <WeekPanel
          targets={advised}
          marks={windows && { hours: hoursOfWindows(windows), text: messages.advice.recommended }}
        />
      </div>
      <OrdersPanel />
      <ExportPanel wish={wish} />
    </div>
  );
}
