import { type ReactNode, useEffect, useState } from "react";
import { useMessages } from "../app/preferences.tsx";
import { copyText } from "./share-out.ts";

export interface CopyButtonProps {
  readonly text: () => string;
  readonly className: string | undefined;
  readonly title?: string;
  /** What it says when it has been done. */
  readonly done: string;
  readonly children: ReactNode;
  readonly onCopied?: () => void;
}

export function CopyButton({ text, className, title, done, children, onCopied }: CopyButtonProps) {
  const { panel } = useMessages();
  const [result, setResult] = useState<"copied" | "failed" | null>(null);
  useEffect(() => {
    if (result === null) return;
    const timer = setTimeout(() => setResult(null), 2_500);
    return () => clearTimeout(timer);
  }, [result]);
  return (
    <button
      type="button"
      className={className}
      title={title}
      onClick={async () => {
        const isCopied = await copyText(text());
        setResult(isCopied ? "copied" : "failed");
        if (isCopied) onCopied?.();
      }}
    >
      {result === null ? children : null}
      <span role="status">{result === null ? "" : result === "copied" ? done : panel.copyFailed}</span>
    </button>
  );
}
