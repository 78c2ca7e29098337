import { type Answer, judgeStatus } from "./http.ts";
import type { Verdict } from "./kind.ts";

/**
 * Answers of DingTalk and WeCom: the status is 200 whatever became of it, and `errcode` decides; -1 is a failure of theirs.
 *
 * @param meaningOf what the robot's own codes mean; `null` for those that it says nothing of
 */
export function judgeErrcode(
  answer: Answer,
  nowMs: number,
  meaningOf: (code: unknown, says: string) => Verdict | null,
): Verdict {
  const verdict = judgeStatus(answer, nowMs);
  const code = answer.json?.["errcode"];
  if (verdict.is !== "delivered" || code === 0) return verdict;
  if (code === -1) return { is: "retry", why: "receiver_error", afterMs: null };
  const meaning = meaningOf(code, String(answer.json?.["errmsg"] ?? ""));
  if (meaning !== null) return meaning;
  return typeof code === "number"
    ? { is: "failed", why: "message_refused" }
    : { is: "retry", why: "not_understood", afterMs: null };
}
