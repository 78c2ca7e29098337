import { countsSame, type FiringAlert, listFolded, rankOf } from "./firing-alert.ts";
import type { CalledModel } from "./slot-queries.ts";
import { covers, isSameSubject, type Subject } from "./subject.ts";

/**
 * Folds alerts that say the same: of the same thing by another rule, of a part of it, or of enough models of one
 * provider, whose first alert then stands for the provider. What was told already is not taken back.
 *
 * Only what channels would be told of is folded, and only under what they are told of: a silence of one thing must not
 * hide another.
 *
 * Changes `alerts`.
 *
 * @param called the models that were called lately
 */
export function foldAlerts(alerts: readonly FiringAlert[], called: readonly CalledModel[]): void {
  for (const alert of alerts) {
    if (alert.foldedUnder?.muted != null && alert.muted === null) alert.foldedUnder = null;
  }
  const fresh = alerts
    .filter((one) => one.isOn && one.toldMs === null && one.muted === null && one.foldedUnder === null)
    .sort((a, b) => rankOf(a.severity) - rankOf(b.severity) || a.sinceMs - b.sinceMs || a.ruleId - b.ruleId);
  const settled = new Set(alerts.filter((one) => !fresh.includes(one)));
  for (const alert of fresh) {
    const tellers = [...settled].filter((one) => one.foldedUnder === null && one.muted === null);
    const cover = tellers.find((one) => standsFor(one, alert));
    if (cover !== undefined) alert.foldedUnder = cover;
    else widen(alerts, alert, tellers, called);
    settled.add(alert);
  }
}

function standsFor(teller: FiringAlert, alert: FiringAlert): boolean {
  if (!countsSame(teller, alert) || rankOf(teller.severity) > rankOf(alert.severity)) return false;
  if (isSameSubject(teller.subject, alert.subject)) return true;
  // What is about everything says nothing of where: trouble of one model is still news.
  return teller.subject.provider !== undefined && covers(teller.subject, alert.subject);
}

/** Provider-wide: two models at least, and half of those that are called. The same as of episodes. */
function widen(
  alerts: readonly FiringAlert[],
  alert: FiringAlert,
  tellers: readonly FiringAlert[],
  called: readonly CalledModel[],
): void {
  if (!isOfModel(alert)) return;
  const peers = tellers.filter((one) => isOfModel(one) && isPeer(one, alert));
  const [first] = [...peers].sort((a, b) => a.firedMs - b.firedMs);
  if (first === undefined) return;
  const short = new Set(
    [alert, ...peers, ...peers.flatMap((peer) => listFolded(alerts, peer))].map(
      ({ subject }) => subject.model,
    ),
  );
  const models = called.filter(({ provider }) => provider === alert.subject.provider).length;
  if (short.size < 2 || short.size * 2 < models) return;
  const { model: _, endpoint: __, ...provider } = first.subject;
  first.subject = provider;
  first.isWidened = true;
  for (const one of [alert, ...peers]) {
    if (one === first) continue;
    for (const child of listFolded(alerts, one)) child.foldedUnder = first;
    one.foldedUnder = first;
  }
}

const isOfModel = ({ groupBy, subject }: FiringAlert) =>
  (groupBy === "target" || groupBy === "model") && subject.model !== undefined;

function isPeer(a: FiringAlert, b: FiringAlert): boolean {
  const around = ({ provider, source, chain }: Subject): Subject => ({ provider, source, chain });
  return countsSame(a, b) && a.severity === b.severity && isSameSubject(around(a.subject), around(b.subject));
}
