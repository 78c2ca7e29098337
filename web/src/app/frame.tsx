import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import { LineIcon, type LineIconName, Mark } from "../components/icons.tsx";
import { AwayBand } from "./away-band.tsx";
import styles from "./frame.module.css";
import { Header } from "./header.tsx";
import { useMessages } from "./preferences.tsx";
import { SampleBand } from "./sample-band.tsx";
import { ShortcutSheet, useShortcuts } from "./shortcuts.tsx";
import { useScope } from "./use-scope.ts";

interface Page {
  readonly name:
    | "now"
    | "advice"
    | "episodes"
    | "models"
    | "alerts"
    | "routing"
    | "queue"
    | "sources"
    | "errors"
    | "settings";
  readonly path: string;
  readonly icon: LineIconName;
  /** Pages that belong to it. */
  readonly also?: string;
}

const PAGES: readonly Page[] = [
  { name: "now", path: "/", icon: "clock" },
  { name: "advice", path: "/advice", icon: "moon" },
  { name: "episodes", path: "/episodes", icon: "waves" },
  { name: "models", path: "/models", icon: "list", also: "/model" },
  { name: "alerts", path: "/alerts", icon: "bell" },
  { name: "routing", path: "/routing", icon: "branch" },
  { name: "queue", path: "/queue", icon: "stack" },
  { name: "sources", path: "/sources", icon: "plug" },
  { name: "errors", path: "/errors", icon: "tag" },
  { name: "settings", path: "/settings", icon: "cog" },
];

export function Frame({ children }: { children: ReactNode }) {
  const messages = useMessages();
  const [hasSheet, setSheet] = useState(false);
  useShortcuts(() => setSheet(true));
  return (
    <div className={styles["frame"]}>
      <a className={styles["skip"]} href="#content">
        {messages.skip}
      </a>
      <Navigation />
      <div className={styles["body"]}>
        <Header onShortcuts={() => setSheet(true)} />
        <AwayBand />
        <SampleBand />
        <main id="content" tabIndex={-1} className={styles["main"]}>
          {children}
        </main>
      </div>
      {hasSheet && <ShortcutSheet onClose={() => setSheet(false)} />}
    </div>
  );
}

function isWithin(path: string, page: Page): boolean {
  return path === page.path || path === page.also || (page.path !== "/" && path.startsWith(`${page.path}/`));
}

function Navigation() {
  const { navigation, pages, product } = useMessages();
  const { link } = useScope();
  const [path] = useLocation();
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => {
    // On narrow screens the one that is open may be out of sight.
    if (path !== "") list.current?.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }, [path]);
  return (
    <nav className={styles["nav"]} aria-label={navigation}>
      <Link href={link("/")} className={styles["brand"]}>
        <Mark />
        <span>{product}</span>
      </Link>
      <ul ref={list}>
        {PAGES.map((page) => (
          <li key={page.name}>
            <Link
              href={link(page.path)}
              className={styles["item"]}
              aria-current={isWithin(path, page) ? "page" : undefined}
            >
              <LineIcon name={page.icon} />
              {pages[page.name]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
