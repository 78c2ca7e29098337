import { TextField } from "../../../components/text-field.tsx";
import { useRouting } from "../use-routing.ts";
import type { ChainEditorProps } from "./chain-editor.tsx";
import { setField } from "./draft.ts";
import styles from "./editor.module.css";

const FIELDS = ["maxAttempts", "baseMs", "capMs", "totalWaitMs"] as const;
const LEAST = { maxAttempts: 1, baseMs: 0, capMs: 0, totalWaitMs: 0 } as const;

/** How often and how long is tried again; what is empty the router decides. */
export function RetryFields({ chain, onChange }: ChainEditorProps) {
  const words = useRouting().editor;
  return (
    <div className={styles["row"]}>
      {FIELDS.map((name) => (
        <TextField
          key={name}
          label={words[name]}
          type="number"
          value={String(chain.retry?.[name] ?? "")}
          onChange={(text) =>
            onChange((before) => {
              const value = Math.max(LEAST[name], Math.round(Number(text)));
              const retry = setField(before.retry ?? {}, name, text.trim() === "" ? undefined : value);
              return setField(before, "retry", Object.keys(retry).length === 0 ? undefined : retry);
            })
          }
        />
      ))}
    </div>
  );
}
