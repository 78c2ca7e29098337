import { cut, toLine } from "../cut.ts";
import { type Answer, judgeStatus, post } from "./http.ts";
import { DAY_MS, type Envelope, type Kind, MINUTE_MS, type TryResult, type Verdict } from "./kind.ts";

const HOSTS = ["events.pagerduty.com", "events.eu.pagerduty.com"] as const;
const KEY = /^[0-9a-zA-Z]{32}$/;

const MOST_SUMMARY = 1_024;
const MOST_KEY = 255;
const MOST_DETAIL = 4_000;

const ACTIONS = {
  firing: "trigger",
  reminder: "trigger",
  acknowledged: "acknowledge",
  resolved: "resolve",
} as const;

/** Where to post, and with which key: kept as one URL. */
function readKey(address: string): { readonly url: string; readonly key: string } {
  const url = new URL(address);
  const key = url.searchParams.get("routing_key") ?? "";
  url.searchParams.delete("routing_key");
  return { url: url.href, key };
}

const toAddress = (host: string, key: string) => `https://${host}/v2/enqueue?routing_key=${key}`;

/** Events of API version 2, field by field: https://developer.pagerduty.com/docs/send-alert-event */
function toEvent({ notice, message, publicUrl }: Envelope, key: string, action: string) {
  const link = { href: message.link.url, text: message.link.text };
  const isAlert = notice.kind === "alert";
  return {
    routing_key: key,
    event_action: action,
    dedup_key: cut(isAlert ? notice.dedupeKey : `busyhour/${notice.project.slug}/${notice.event}`, MOST_KEY),
    client: "Busyhour",
    client_url: publicUrl,
    links: [link],
    payload: {
      summary: cut(toLine(message.title), MOST_SUMMARY),
      source: isAlert ? `busyhour/${notice.project.slug}` : "busyhour",
      severity: isAlert ? notice.severity : "info",
      timestamp: notice.at,
      ...(isAlert
        ? {
            component: toLine(notice.subject.model ?? notice.subject.source ?? notice.subject.chain ?? "all"),
            group: toLine(notice.subject.provider ?? "all"),
            class: notice.outcomes.length === 1 ? notice.outcomes[0] : notice.of,
          }
        : {}),
      custom_details: Object.fromEntries([
        ...message.facts.map(({ name, text }) => [name, cut(text, MOST_DETAIL)]),
        ...message.notes.map((note, i) => [`note ${i + 1}`, note]),
      ]),
    },
  };
}

function judge(answer: Answer, nowMs: number): Verdict {
  const verdict = judgeStatus(answer, nowMs);
  if (verdict.is === "delivered")
    return answer.json?.["status"] === "success"
      ? verdict
      : { is: "retry", why: "not_understood", afterMs: null };
  const says = answer.text;
  return verdict.is === "failed" && /routing.?key/i.test(says)
    ? { is: "failed", why: "address_unknown" }
    : verdict;
}

/** Each alert is an incident there: none is summed up, and a repetition changes nothing, by its `dedup_key`. */
export const pagerduty: Kind = {
  kind: "pagerduty",
  label: "PagerDuty",
  needs: [],
  takes: [],
  limit: { burst: 20, perMinute: 120 },
  isDigested: false,
  giveUpMs: DAY_MS,
  firstPauseMs: MINUTE_MS,
  recognises: (url) => HOSTS.some((host) => host === url.hostname),
  readAddress(text) {
    if (KEY.test(text)) return { address: toAddress(HOSTS[0], text) };
    if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) {
      const url = new URL(text);
      const inPath = /^\/integration\/([^/]+)\//.exec(url.pathname)?.[1];
      const key = url.searchParams.get("routing_key") ?? inPath ?? "";
      if (KEY.test(key)) return { address: inPath === undefined ? text : toAddress(url.hostname, key) };
    }
    return {
      fault:
        "must be the integration key of 32 letters and digits (service, Integrations, Events API V2), or its URL",
    };
  },
  mask: (address) => `${new URL(address).hostname}/…${readKey(address).key.slice(-4)}`,
  async deliver(envelope, { address }, net): Promise<TryResult> {
    const { notice, nowMs } = envelope;
    const { url, key } = readKey(address);
    const send = (action: string) =>
      post(net, { url, body: toEvent(envelope, key, action) }, (answer) => judge(answer, nowMs));
    if (notice.kind === "alert") return send(ACTIONS[notice.event]);
    // A test opens an incident and closes it.
    const opened = await send("trigger");
    if (opened.verdict.is === "delivered") await send("resolve");
    return opened;
  },
};
