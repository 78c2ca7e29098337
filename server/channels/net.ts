import type { AllowList } from "../outgoing/allow-list.ts";
import { isListed } from "../outgoing/check.ts";
import { createHostLookup, type Resolve } from "../outgoing/host-lookup.ts";
import { createOutgoing } from "../outgoing/outgoing.ts";
import type { Net } from "./kinds/kind.ts";

/** Standard Webhooks asks for 15 to 30 s; a mail server may ask others before it answers. */
const HTTP_TIMEOUT_MS = 15_000;
const SMTP_TIMEOUT_MS = 20_000;
/** More of an answer is not looked at. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** @param resolve the system's own when left out */
export function createNet(
  allow: AllowList,
  { resolve, httpTimeoutMs = HTTP_TIMEOUT_MS }: { resolve?: Resolve; httpTimeoutMs?: number } = {},
): Net {
  return {
    fetch: createOutgoing({
      allow,
      timeoutMs: httpTimeoutMs,
      maxAnswerBytes: MAX_ANSWER_BYTES,
      ...(resolve === undefined ? {} : { resolve }),
    }),
    lookUp: createHostLookup(allow, resolve),
    mayBePlain: (host) => isListed(host, allow),
    timeoutMs: SMTP_TIMEOUT_MS,
  };
}
