import { Link } from "wouter";
import styles from "./parts.module.css";

export interface PartsProps {
  readonly label: string;
  readonly parts: readonly {
    readonly name: string;
    readonly text: string;
    readonly href: string;
    readonly isCurrent: boolean;
  }[];
}

/** The parts of a page that has several, each at an address of its own. */
export function Parts({ label, parts }: PartsProps) {
  return (
    <nav className={styles["parts"]} aria-label={label}>
      {parts.map(({ name, text, href, isCurrent }) => (
        <Link key={name} href={href} aria-current={isCurrent ? "page" : undefined}>
          {text}
        </Link>
      ))}
    </nav>
  );
}
