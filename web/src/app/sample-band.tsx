import { useMutation, useQueryClient } from "@tanstack/react-query";
import { sendJson } from "../api/client.ts";
import controls from "../components/controls.module.css";
import { useMessages } from "./preferences.tsx";
import styles from "./sample-band.module.css";
import { useScope } from "./use-scope.ts";
import { useView } from "./view.tsx";

/** Says on every page that what one sees is made up. */
export function SampleBand() {
  const { sample } = useMessages();
  const { project, projects } = useView();
  const { change } = useScope();
  const queries = useQueryClient();
  const own = projects.find(({ isSample }) => !isSample);
  const showMine = () => change({ project: own?.slug ?? null, target: null });
  const remove = useMutation({
    mutationFn: () => sendJson<void>("DELETE", "/api/sample"),
    onSuccess: async () => {
      showMine();
      await queries.invalidateQueries();
    },
  });
  if (!project.isSample) return null;
  return (
    <aside className={styles["band"]}>
      <p>{remove.isPending ? sample.removing : sample.band}</p>
      <div className={styles["actions"]}>
        {own !== undefined && (
          <button type="button" className={controls["button"]} onClick={showMine}>
            {sample.showMine}
          </button>
        )}
        {project.role === "owner" && (
          <button
            type="button"
            className={controls["quiet"]}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {sample.remove}
          </button>
        )}
      </div>
      {remove.isError && <p role="alert">{sample.failed(remove.error.message)}</p>}
    </aside>
  );
}

/** Makes the sample and goes there. */
export function ShowSampleButton() {
  const { sample } = useMessages();
  const { project, projects } = useView();
  const { change } = useScope();
  const queries = useQueryClient();
  const existing = projects.find(({ isSample }) => isSample);
  const make = useMutation({
    mutationFn: async () => existing ?? (await sendJson("POST", "/api/sample")),
    onSuccess: async () => {
      await queries.invalidateQueries();
      change({ project: "sample", target: null });
    },
  });
  if (existing === undefined && project.role !== "owner") return null;
  return (
    <>
      <button
        type="button"
        className={controls["button"]}
        disabled={make.isPending}
        onClick={() => make.mutate()}
      >
        {sample.show}
      </button>
      <span role="status">{make.isPending ? sample.making : ""}</span>
      {make.isError && <span role="alert">{sample.failed(make.error.message)}</span>}
    </>
  );
}
