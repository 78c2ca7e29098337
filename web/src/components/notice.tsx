import type { ReactNode } from "react";
import { ServerAway } from "../api/api-error.ts";
import { useMessages } from "../app/preferences.tsx";
import styles from "./notice.module.css";

export interface NoticeProps {
  readonly tone?: "plain" | "bad";
  readonly title: string;
  readonly text?: string | undefined;
  /** Stands alone on the screen. */
  readonly isPage?: boolean;
  /** Is what the page is about. */
  readonly isMain?: boolean;
  /** What one can do about it. */
  readonly children?: ReactNode;
}

export function Notice({
  tone = "plain",
  title,
  text,
  isPage = false,
  isMain = isPage,
  children,
}: NoticeProps) {
  const Outer = isPage ? "main" : "div";
  return (
    <Outer className={isPage ? styles["page"] : undefined}>
      <div className={styles["notice"]} data-tone={tone} role={tone === "bad" ? "alert" : undefined}>
        {isMain ? <h1 className={styles["title"]}>{title}</h1> : <p className={styles["title"]}>{title}</p>}
        {text !== undefined && <p className={styles["text"]}>{text}</p>}
        {children !== undefined && <div className={styles["actions"]}>{children}</div>}
      </div>
    </Outer>
  );
}

/** The cause in words, and a way to try again. */
export function Failure({
  error,
  onRetry,
  isPage = false,
}: {
  error: unknown;
  onRetry: () => void;
  isPage?: boolean;
}) {
  const { states, retry } = useMessages();
  const isAway = error instanceof ServerAway;
  const isOffline = isAway && !navigator.onLine;
  const title = isOffline ? states.offline : isAway ? states.serverAway : states.failed;
  const text = isAway ? states.serverAwayHint : error instanceof Error ? error.message : String(error);
  return (
    <Notice tone="bad" title={title} text={text} isPage={isPage}>
      <button type="button" onClick={onRetry}>
        {retry}
      </button>
    </Notice>
  );
}

export function Loading({ isPage = false }: { isPage?: boolean }) {
  const { states } = useMessages();
  const Outer = isPage ? "main" : "div";
  return (
    <Outer className={isPage ? styles["page"] : undefined}>
      {isPage && <h1 className="hidden">Busyhour</h1>}
      <p className={styles["loading"]} role="status">
        {states.loading}
      </p>
    </Outer>
  );
}
