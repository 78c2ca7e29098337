import { createHash } from "node:crypto";
import type { AlertNotice, Notice } from "../../contract/notice.ts";
import { cut, toLine } from "../cut.ts";
import { judgeStatus, maskUrl, post, readUrl } from "./http.ts";
import { type ChannelConfig, DAY_MS, type Envelope, type Kind } from "./kind.ts";

/** What Go writes for a time that is not there. */
const NEVER = "0001-01-01T00:00:00Z";
const MOST_LABEL = 200;

function toLabels(notice: Notice): Record<string, string> {
  const own = {
    alertname: notice.kind === "alert" ? notice.rule.name : "BusyhourTest",
    severity: notice.severity,
    project: notice.project.slug,
  };
  const subject: AlertNotice["subject"] = notice.kind === "alert" ? notice.subject : {};
  const named = Object.entries(subject).flatMap(([name, value]) => (value ? [[name, value] as const] : []));
  return Object.fromEntries(
    [...Object.entries(own), ...named].map(([name, value]) => [name, cut(toLine(value), MOST_LABEL)]),
  );
}

/** A webhook of Prometheus' Alertmanager: https://prometheus.io/docs/alerting/latest/configuration/#webhook_config */
function toGroup({ notice, message, publicUrl }: Envelope, { name }: ChannelConfig) {
  const isAlert = notice.kind === "alert";
  // There is no third state: one that somebody looks after still fires.
  const status = isAlert && notice.event !== "resolved" ? "firing" : "resolved";
  const key = isAlert ? notice.dedupeKey : `busyhour/${notice.project.slug}/test`;
  const labels = toLabels(notice);
  const annotations = {
    summary: message.title,
    description: [message.summary, message.cause, message.doNow, ...message.notes]
      .filter((line) => line !== null && line !== "")
      .join("\n"),
    ...(isAlert
      ? {
          k: String(notice.k),
          n: String(notice.n),
          ...(notice.value === null ? {} : { value: String(notice.value) }),
          ...(notice.usual === null ? {} : { usual: String(notice.usual) }),
        }
      : {}),
  };
  return {
    version: "4",
    groupKey: `{}/{}:{${key}}`,
    truncatedAlerts: 0,
    status,
    receiver: name,
    groupLabels: labels,
    commonLabels: labels,
    commonAnnotations: annotations,
    externalURL: publicUrl,
    alerts: [
      {
        status,
        labels,
        annotations,
        startsAt: isAlert ? notice.since : notice.at,
        endsAt: status === "firing" ? NEVER : isAlert ? (notice.endedAt ?? notice.at) : notice.at,
        generatorURL: message.link.url,
        fingerprint: createHash("sha256").update(key).digest("hex").slice(0, 16),
      },
    ],
  };
}

/** For what takes webhooks of Alertmanager. A repetition changes nothing, by its fingerprint. */
export const alertmanager: Kind = {
  kind: "alertmanager",
  label: "Alertmanager webhook",
  needs: [],
  takes: ["authorization"],
  limit: { burst: 20, perMinute: 300 },
  isDigested: false,
  giveUpMs: 3 * DAY_MS,
  firstPauseMs: 5_000,
  recognises: () => false,
  readAddress: readUrl,
  mask: maskUrl,
  deliver(envelope, config, net) {
    const { address, authorization } = config;
    const headers = authorization === null ? {} : { authorization };
    return post(net, { url: address, body: toGroup(envelope, config), headers }, (answer) =>
      judgeStatus(answer, envelope.nowMs),
    );
  },
};
