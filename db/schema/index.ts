export * from "./access.ts";
export * from "./advice.ts";
export * from "./attempt.ts";
export * from "./episode.ts";
export * from "./plan.ts";
export * from "./report.ts";
export * from "./rollup.ts";
export * from "./secret.ts";
