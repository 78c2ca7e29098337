import { useInfiniteQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import type { PlanVersion } from "../../../../server/contract/plan.ts";
import { plansQuery } from "../../api/queries.ts";
import { useScope } from "../../app/use-scope.ts";
import { useView } from "../../app/view.tsx";
import controls from "../../components/controls.module.css";
import { MoreButton } from "../../components/more-button.tsx";
import { Panel } from "../../components/panel.tsx";
import { RowsTable } from "../../components/rows-table.tsx";
import { useRouting } from "./use-routing.ts";

/** Everything that was ever kept, newest first. */
export function VersionsPanel() {
  const words = useRouting().versions;
  const { project, formats } = useView();
  const { link } = useScope();
  const plans = useInfiniteQuery(plansQuery(project.slug));
  const all = (data: NonNullable<typeof plans.data>) => data.pages.flatMap((page) => page.plans);
  const toRow = ({ version, state, reason, author, publisher, createdAt, publishedAt }: PlanVersion) => ({
    id: version,
    isOver: state === "past",
    cells: [
      String(version),
      words.states[state],
      reason,
      (publisher ?? author).name,
      formats.dateTime(Date.parse(publishedAt ?? createdAt)),
      <Link
        key="open"
        href={link("/routing/version", {}, { version })}
        className={controls["quiet"]}
        aria-label={words.openLabel(version)}
      >
        {words.open}
      </Link>,
    ],
  });
  return (
    <Panel
      title={words.title}
      note={words.note}
      state={plans}
      skeleton="middle"
      isEmpty={(data) => all(data).length === 0}
      empty={words.empty}
    >
      {(data) => (
        <>
          <RowsTable label={words.title} heads={Object.values(words.columns)} rows={all(data).map(toRow)} />
          <MoreButton of={plans} text={words.more} />
        </>
      )}
    </Panel>
  );
}
