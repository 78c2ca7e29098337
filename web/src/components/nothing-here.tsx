import { Link } from "wouter";
import { useMessages } from "../app/preferences.tsx";
import { ShowSampleButton } from "../app/sample-band.tsx";
import { useScope } from "../app/use-scope.ts";
import { useView } from "../app/view.tsx";
import controls from "./controls.module.css";
import styles from "./nothing-here.module.css";

/** For a project that never had a call: what to do next. */
export function NothingHere() {
  const { empty } = useMessages();
  const { link } = useScope();
  const { project, projects } = useView();
  const hasSample = project.role === "owner" || projects.some(({ isSample }) => isSample);
  return (
    <section className={styles["empty"]}>
      <h1>{empty.title}</h1>
      <p>{empty.text}</p>
      <Link href={link("/sources")} className={controls["primary"]}>
        {empty.connect}
      </Link>
      {hasSample && (
        <div className={styles["sample"]}>
          <p>{empty.sample}</p>
          <ShowSampleButton />
        </div>
      )}
    </section>
  );
}
