import type { RehearsedTarget } from "./types.ts";

/** A line per target, aligned, and below them what went wrong. */
export function formatTable(targets: readonly RehearsedTarget[]): string {
  const rows = [
    ["target", "model", "passed", "median", ""],
    ...targets.map(({ target, passed, failed, latencyMsP50, isOk }) => [
      target.id,
      `${target.provider}/${target.model}`,
      `${passed}/${passed + failed}`,
      latencyMsP50 === null ? "–" : `${(latencyMsP50 / 1_000).toFixed(2)} s`,
      isOk ? "ok" : "FAILED",
    ]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd(),
  );
  const faults = targets.flatMap(({ target, failures }) =>
    failures.map(({ case: name, reason, outcome, detail }) => {
      const why = outcome === null ? reason : `${reason}, ${outcome}`;
      return `  ${target.id}, ${name} (${why}): ${detail}`;
    }),
  );
  return [...lines, ...faults].join("\n");
}
