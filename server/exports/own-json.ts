import type { PlanDocument } from "../contract/plan.ts";
import type { ExportedFile } from "./format.ts";

/** The plan itself, with where its JSON Schema is. */
export function writeOwnJson(plan: PlanDocument): ExportedFile {
  const document = { $schema: "./plan.schema.json", ...plan };
  return {
    fileName: "plan.json",
    mediaType: "application/json",
    content: `${JSON.stringify(document, null, 2)}\n`,
    losses: [],
  };
}
