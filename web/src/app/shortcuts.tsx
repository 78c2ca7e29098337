import { useEffect, useRef } from "react";
import { useLocation } from "wouter";
import { Dialog } from "../components/dialog.tsx";
import { useMessages, usePreferences } from "./preferences.tsx";
import { shiftRange } from "./range.ts";
import styles from "./shortcuts.module.css";
import { useScope } from "./use-scope.ts";

const PAGES: Readonly<Record<string, string>> = {
  n: "/",
  o: "/",
  w: "/advice",
  b: "/episodes",
  m: "/models",
  s: "/sources",
  e: "/errors",
  q: "/queue",
  c: "/settings",
};
/** A key that follows `g` later than this stands alone. */
const FOLLOW_MS = 2_000;

/** Single keys, unless one types, or has turned them off. */
export function useShortcuts(onHelp: () => void): void {
  const { hasShortcuts, isDark, setTheme } = usePreferences();
  const { scope, change, link } = useScope();
  const [, navigate] = useLocation();
  const goAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    if (!hasShortcuts) return;
    const shift = (direction: -1 | 1) =>
      change({ range: shiftRange(scope.range ?? { kind: "last", text: "28d" }, direction, Date.now()) });
    const act = (key: string, event: KeyboardEvent) => {
      const path = PAGES[key];
      if (event.timeStamp - goAt.current < FOLLOW_MS && path !== undefined) {
        goAt.current = Number.NEGATIVE_INFINITY;
        navigate(link(path));
      } else if (key === "g") goAt.current = event.timeStamp;
      else if (key === "[") shift(-1);
      else if (key === "]") shift(1);
      else if (key === "d") setTheme(isDark ? "light" : "dark");
      else if (key === "?") onHelp();
      else if (key === "t" || key === "z") {
        document.querySelector<HTMLElement>(`[data-shortcut="${key}"]`)?.focus();
      } else return false;
      return true;
    };
    const listen = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open]") !== null) return;
      if (act(event.key, event)) event.preventDefault();
    };
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, [hasShortcuts, isDark, setTheme, scope, change, link, navigate, onHelp]);
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches("input:not([type=radio]), select, textarea");
}

export function ShortcutSheet({ onClose }: { onClose: () => void }) {
  const { shortcuts } = useMessages();
  const { hasShortcuts, setShortcuts } = usePreferences();
  return (
    <Dialog title={shortcuts.title} onClose={onClose}>
      <dl className={styles["keys"]}>
        {shortcuts.rows.map(([keys, meaning]) => (
          <div key={keys}>
            <dt>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <label className={styles["switch"]}>
        <input
          type="checkbox"
          checked={hasShortcuts}
          onChange={(event) => setShortcuts(event.target.checked)}
        />
        {shortcuts.singleKeys}
      </label>
    </Dialog>
  );
}
