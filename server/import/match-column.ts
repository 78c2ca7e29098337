import { FIELDS, type FieldName, getField } from "./fields.ts";
import type { TimeUnit } from "./parse-time.ts";

/** Where the values of a column go. */
export interface Slot {
  /** Index into `FIELDS`. */
  readonly field: number;
  /** Which of several filled columns wins: the lowest. Below 0 it was asked for with `--map`. */
  readonly rank: number;
  /** Unit of its numbers; `undefined` is the field's own, or by magnitude for times. */
  readonly unit: TimeUnit | undefined;
}

/**
 * Names that common logs use, best first, as `canonicalName` writes them; `:s` gives the unit.
 * A bare `duration` is missing on purpose: it is seconds as often as milliseconds.
 */
const ALIASES: Readonly<Partial<Record<FieldName, string>>> = {
  eventId: "eventuuid",
  occurredAt:
    "timestamp time ts datetime date startedat starttime requesttime eventtime createdat created logtime " +
    "timestampms:ms timems:ms tsms:ms epochms:ms",
  provider: "providername llmprovider customllmprovider vendor",
  model: "modelname modelid requestedmodel requestmodel llmmodel",
  httpStatus: "status statuscode httpstatuscode httpcode responsestatus responsecode",
  "error.type": "errortype errorclass exceptiontype",
  "error.code": "errorcode errcode",
  "error.message": "error errormessage errormsg err errmsg errortext exception",
  latencyMs:
    "latency durationms elapsedms responsetimems latencymillis totalms latencys:s latencyseconds:s durations:s " +
    "durationseconds:s elapsedseconds:s latencyus:us durationus:us durationns:ns",
  firstTokenMs: "ttftms ttft timetofirsttokenms timetofirsttoken firsttoken ttfts:s ttftseconds:s",
  inputTokens: "prompttokens tokensin promptntokens",
  outputTokens: "completiontokens tokensout generatedtokens",
  requestId: "traceid correlationid callid",
  attempt: "attemptnumber attemptno tryno",
  isFinal: "final lastattempt",
  chain: "fallbackchain",
  position: "chainposition fallbackindex",
  source: "service servicename app appname application",
  endpoint: "region host baseurl apibase deployment",
  inFlight: "concurrency",
  retryAfterMs: "retryafter:s retryafterseconds:s retryafters:s",
  servedModel: "responsemodel actualmodel",
  isStream: "stream streaming streamed",
  account: "accountname subscription keyname apikeyalias",
};

const SLOTS: ReadonlyMap<string, Slot> = new Map(listSlots());

function* listSlots(): Iterable<[string, Slot]> {
  for (const [name, aliases] of Object.entries(ALIASES)) {
    const field = getField(name as FieldName).index;
    for (const [place, alias] of aliases.split(" ").entries()) {
      const [word = "", unit] = alias.split(":");
      yield [word, { field, rank: place + 1, unit: unit as TimeUnit | undefined }];
    }
  }
  for (const { index, name } of FIELDS) {
    yield [canonicalName(name), { field: index, rank: 0, unit: undefined }];
  }
}

/** `HTTP Status`, `http_status` and `httpStatus` are one name; `@timestamp` and `timestamp` too. */
export function canonicalName(column: string): string {
  return column.toLowerCase().replace(/[^a-z0-9]/g, "");
}

/** The field that a column of this name fills when nobody says otherwise, or `null`. */
export function matchColumn(column: string): Slot | null {
  return SLOTS.get(canonicalName(column)) ?? null;
}
