import { expect, test } from "vitest";
import { FIELDS } from "./fields.ts";
import { matchColumn } from "./match-column.ts";

const match = (column: string) => {
  const slot = matchColumn(column);
  if (slot === null) return null;
  const name = FIELDS[slot.field]?.name;
  return slot.unit === undefined ? name : `${name}:${slot.unit}`;
};

test.each([
  ["occurredAt", "occurredAt"],
  ["occurred_at", "occurredAt"],
  ["OCCURRED-AT", "occurredAt"],
  ["@timestamp", "occurredAt"],
  ["ts", "occurredAt"],
  ["Date", "occurredAt"],
  ["HTTP Status", "httpStatus"],
  ["status_code", "httpStatus"],
  ["error", "error.message"],
  ["error.type", "error.type"],
  ["error_code", "error.code"],
  ["latency", "latencyMs"],
  ["duration_ms", "latencyMs"],
  ["latency_s", "latencyMs:s"],
  ["ttft_ms", "firstTokenMs"],
  ["prompt_tokens", "inputTokens"],
  ["Completion Tokens", "outputTokens"],
  ["model_name", "model"],
  ["trace_id", "requestId"],
  ["request_id", "requestId"],
  ["retry_after", "retryAfterMs:s"],
  ["duration", null],
  ["prompt", null],
  ["", null],
])("%j fills %s", (column, field) => {
  expect(match(column)).toBe(field);
});

test("a field's own name outranks every alias", () => {
  expect(matchColumn("http_status")?.rank).toBe(0);
  expect(matchColumn("status")?.rank).toBeGreaterThan(0);
});
