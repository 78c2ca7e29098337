import controls from "./controls.module.css";

/** What it needs of a query that comes in pages. */
interface Paged {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): unknown;
}

/** Fetches the next page of a list; nothing where there is none. */
export function MoreButton({ of, text }: { of: Paged; text: string }) {
  if (!of.hasNextPage) return null;
  return (
    <button
      type="button"
      className={controls["button"]}
      disabled={of.isFetchingNextPage}
      onClick={() => of.fetchNextPage()}
    >
      {text}
    </button>
  );
}
