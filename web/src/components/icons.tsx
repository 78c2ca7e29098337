import type { NowState } from "../../../server/contract/now.ts";

/** The product's mark: an hour that is full among others. */
export function Mark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect x="1" y="12" width="4" height="7" fill="var(--heat-3)" />
      <rect x="6" y="7" width="4" height="12" fill="var(--heat-4)" />
      <rect x="11" y="1" width="4" height="18" fill="var(--bad)" />
      <rect x="16" y="9" width="3" height="10" fill="var(--heat-4)" />
    </svg>
  );
}

/** A shape per state, so that none needs its colour. */
export function StateIcon({ state }: { state: NowState }) {
  return (
    <svg width="14" height="14" viewBox="0 0 14 14" aria-hidden="true" fill="none" stroke="currentColor">
      {SHAPES[state]}
    </svg>
  );
}

const SHAPES = {
  short: <path d="M7 1.2 13.2 12.6H.8Z" fill="currentColor" stroke="none" />,
  tight: (
    <>
      <circle cx="7" cy="7" r="5.6" strokeWidth="1.4" />
      <path d="M7 1.4a5.6 5.6 0 0 1 0 11.2Z" fill="currentColor" stroke="none" />
    </>
  ),
  room: <circle cx="7" cy="7" r="5.6" strokeWidth="1.4" />,
  few: <circle cx="7" cy="7" r="5.6" strokeWidth="1.4" strokeDasharray="1.6 2.2" />,
  silent: <path d="M2 7h10" strokeWidth="1.4" />,
} satisfies Record<NowState, React.ReactNode>;

const LINES = {
  clock: "M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15ZM10 6v4.2l3 1.8",
  waves: "M2.5 15h3v-6h3v6h3V4.5h3V15h3",
  list: "M3 5h14M3 10h14M3 15h9",
  plug: "M7 2.5v4M13 2.5v4M5 6.5h10v3a5 5 0 0 1-10 0ZM10 14.5v3",
  cog: "M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM10 2.5v2M10 15.5v2M2.5 10h2M15.5 10h2M4.7 4.7l1.4 1.4M13.9 13.9l1.4 1.4M15.3 4.7l-1.4 1.4M6.1 13.9l-1.4 1.4",
  branch:
    "M3 10h4.5C11 10 10 4.5 13.5 4.5H17M7.5 10C11 10 10 15.5 13.5 15.5H17M14.5 2 17 4.5 14.5 7M14.5 13l2.5 2.5-2.5 2.5",
  bell: "M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13ZM8.5 17.5h3",
  stack: "M3 4.5h14M3 9h14M3 13.5h6M13 12v5.5M10.5 15l2.5 2.5 2.5-2.5",
  tag: "M3 3.5h7l7 7-6.5 6.5-7.5-7.5ZM7 7.2v.1",
  left: "M12 4.5 6.5 10l5.5 5.5",
  right: "M8 4.5 13.5 10 8 15.5",
  down: "M5 7.5 10 12.5l5-5",
  sliders: "M3 6h8M15 6h2M3 14h2M9 14h8M13 4v4M7 12v4",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 1.5v2M10 16.5v2M1.5 10h2M16.5 10h2M4 4l1.4 1.4M14.6 14.6 16 16M16 4l-1.4 1.4M5.4 14.6 4 16",
  moon: "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5Z",
  keys: "M2.5 5.5h15v9h-15ZM5.5 8.5h1M9.5 8.5h1M13.5 8.5h1M6.5 11.5h7",
  cross: "M5 5l10 10M15 5 5 15",
  check: "M4 10.5 8 14.5 16 5.5",
  table: "M3 4.5h14v11H3ZM3 8.5h14M8.5 8.5v7",
  download: "M10 3v9.5M6 9l4 4 4-4M3.5 16.5h13",
  link: "M8.5 11.5 11.5 8.5M9 6l1.5-1.5a3.5 3.5 0 0 1 5 5L14 11M11 14l-1.5 1.5a3.5 3.5 0 0 1-5-5L6 9",
};

export type LineIconName = keyof typeof LINES;

export function LineIcon({ name }: { name: LineIconName }) {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 20 20"
      aria-hidden="true"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      <path d={LINES[name]} />
    </svg>
  );
}
