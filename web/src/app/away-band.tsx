import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { ServerAway } from "../api/api-error.ts";
import controls from "../components/controls.module.css";
import styles from "./away-band.module.css";
import { useMessages } from "./preferences.tsx";
import { useView } from "./view.tsx";

/** When the newest of what is on the screen was fetched, while nothing answers any more; else `null`. */
function useAwaySince(): number | null {
  const cache = useQueryClient().getQueryCache();
  const read = useCallback(() => {
    const active = cache.findAll({ type: "active" });
    const isAway = active.some(({ state }) => state.error instanceof ServerAway);
    return isAway ? Math.max(...active.map(({ state }) => state.dataUpdatedAt)) : null;
  }, [cache]);
  return useSyncExternalStore(
    useCallback((listen) => cache.subscribe(listen), [cache]),
    read,
  );
}

/** Says once, for the whole page, that what it shows is no longer kept up to date. */
export function AwayBand() {
  const { states, retry } = useMessages();
  const { formats } = useView();
  const queries = useQueryClient();
  const sinceMs = useAwaySince();
  return (
    <div role="status">
      {sinceMs !== null && (
        <p className={styles["band"]}>
          <strong>{navigator.onLine ? states.serverAway : states.offline}</strong>{" "}
          {sinceMs > 0 && <span>{states.stale(formats.time(sinceMs))}</span>}
          <button
            type="button"
            className={controls["button"]}
            onClick={() => queries.refetchQueries({ type: "active" })}
          >
            {retry}
          </button>
        </p>
      )}
    </div>
  );
}
