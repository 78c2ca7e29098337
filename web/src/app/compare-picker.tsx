import { Choice } from "../components/choice.tsx";
import { useMessages } from "./preferences.tsx";
import { COMPARES, type Compare } from "./range.ts";
import { useScope } from "./use-scope.ts";

/** What the figures are compared with, on every page. */
export function ComparePicker() {
  const { header } = useMessages();
  const { scope, change } = useScope();
  return (
    <Choice
      label={header.compare}
      value={scope.compare ?? "none"}
      onChange={(value) => change({ compare: value === "none" ? null : (value as Compare) })}
      options={(["none", ...COMPARES] as const).map((value) => [value, header.comparisons[value]])}
    />
  );
}
