import { createClassifier, type Rule } from "@busyhour/sdk";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { rulesQuery } from "../../api/queries.ts";
import { useMessages } from "../../app/preferences.tsx";
import { useView } from "../../app/view.tsx";
import styles from "./errors-page.module.css";
import { NamePanel } from "./name-panel.tsx";
import { RulesPanel } from "./rules-panel.tsx";

/** Names a pasted error by the project's own rules and the standard ones, and lets admins change the former. */
export function ErrorsPage() {
  const { errors } = useMessages();
  const { project } = useView();
  const stored = useQuery(rulesQuery(project.slug));
  // As they are stored they have no key without a value, which the SDK's type insists on.
  const own = stored.data?.rules as readonly Rule[] | undefined;
  const classify = useMemo(() => createClassifier(own ?? []), [own]);
  const isAway = own === undefined && stored.isError;
  const note = isAway ? errors.ownRulesAway : own?.length ? errors.ownRules(own.length) : null;
  return (
    <div className={styles["page"]}>
      <NamePanel classify={classify} own={own ?? []} note={note} />
      <RulesPanel key={project.slug} stored={stored} />
    </div>
  );
}

/** The same for who is not signed in: by the standard rules alone. */
export function OpenErrorsPage() {
  const { errors } = useMessages();
  const classify = useMemo(() => createClassifier([]), []);
  return <NamePanel classify={classify} own={[]} note={errors.ownRulesClosed} />;
}
