import type { ChannelWords } from "./words.ts";

const join = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null && part !== "");
const bullets = (lines: readonly string[]) => lines.map((line) => `- ${line}`).join("\n");

export const channelWordsEn: ChannelWords = {
  firing: (where, what) => `${where}: ${what}`,
  reminder: (where, what) => `${where}, still: ${what}`,
  acknowledged: (where, what, who) => `${where}: ${who ?? "somebody"} looks after it (${what})`,
  resolved: (where, lasted) => `${where}: over after ${lasted}`,
  summary: (parts) => join(parts).join(" · "),
  since: (moment) => `since ${moment}`,
  from: (from, to, lasted) => `${from} to ${to}, ${lasted}`,
  usual: (value) => `usual at this hour: ${value}`,
  peak: (value) => `at its worst ${value}`,
  alsoShort: (list) => `with ${list}`,
  late: (moment) => `Told late: this was so at ${moment}.`,
  mayRepeat: "This may be a repetition: an earlier try was not answered.",
  open: "Open in Busyhour",
  footer: (project) => `Busyhour · ${project}`,

  share: (outcome, share, of) => `${outcome} for ${share} of ${of}`,
  count: (outcome, k, n, of) => `${outcome} for ${k} of ${n} ${of}`,
  manyOutcomes: "failures",
  degradedName: "answered by a fallback",
  degraded: (share) => `${share} of requests were answered by a fallback`,
  amplifiedName: "retries",
  amplified: (perRequest) => `${perRequest} attempts per request`,
  amplifiedCounts: (attempts, requests) => `${attempts} attempts of ${requests} requests`,
  silentName: "no events",
  silent: (_, duration) => `no events for ${duration}`,
  counts: (k, n, of) => `${k} of ${n} ${of}`,

  everything: "All models",
  source: (name) => (name === "" ? "events without a source" : `source ${name}`),
  chain: (name) => (name === "" ? "calls without a chain" : `chain ${name}`),
  ofProvider: (name) => `all of ${name}`,
  list: (parts, more) => `${parts.join(", ")}${more > 0 ? ` and ${more} more` : ""}`,
  minutes(minutes) {
    if (minutes < 1) return "less than a minute";
    if (minutes < 120) return `${minutes} ${minutes === 1 ? "minute" : "minutes"}`;
    const hours = Math.round(minutes / 60);
    if (hours < 48) return `${hours} hours`;
    return `${Math.round(hours / 24)} days`;
  },
  askInOrder: (list) => `Ask the targets in this order: ${list}.`,

  names: {
    what: "What",
    where: "Where",
    folded: "Also short",
    howBad: "How bad",
    usual: "Usual at this hour",
    peak: "At its worst",
    since: "When",
    cause: "Likely cause",
    doNow: "What to do",
    rule: "Rule",
    note: "Note",
  },
  ruleName: (name) => name,
  test: {
    title: "Test: this channel works",
    markdown: "You asked for this message. Alerts come here in the same way.",
  },
  broken: (channel, hint, since, waiting) => ({
    title: `Channel “${channel}” does not deliver`,
    markdown: `Nothing has arrived there since ${since}. ${hint}\n\n${waiting === 1 ? "One message waits" : `${waiting} messages wait`} for it; this is told once. *Send test* in the settings shows what it answers.`,
  }),
  digest: ({ count, open, over, texts, from, to }) => ({
    title: `${count} messages in one: ${open.count} alerts open, ${over.count} over`,
    markdown: [
      `Between ${from} and ${to} more came than this channel takes one by one.`,
      open.count === 0 ? "" : `**Open**\n\n${bullets(open.lines)}`,
      over.count === 0 ? "" : `**Over**\n\n${bullets(over.lines)}`,
      texts.length === 0 ? "" : `**Besides**\n\n${bullets(texts)}`,
    ]
      .filter((part) => part !== "")
      .join("\n\n"),
  }),
  hints: {
    address_refused:
      "The address leads to a private network. Whoever runs this server can allow it with BUSYHOUR_OUTGOING_ALLOW.",
    host_not_found: "There is no such host. Check the address, and the server's resolver.",
    timeout: "No answer came in time. It is tried again.",
    tls: "The certificate is not one that this server trusts, or the connection could not be encrypted.",
    unreachable: "No connection could be made. It is tried again.",
    redirected: "The receiver sent us elsewhere, which is not followed. Enter the final address.",
    rate_limited: "The receiver takes no more for now. It is tried again when it says.",
    receiver_error: "The receiver has trouble of its own. It is tried again.",
    gone: "The receiver says that this address is closed for good. Make a new webhook and enter its address.",
    address_unknown:
      "The receiver does not know this address: the webhook or key was removed or copied in part. Enter it anew.",
    not_allowed:
      "The receiver does not allow it: check credentials, permissions and the list of allowed IPs.",
    bad_signature: "The signature was not accepted: enter the secret anew, and check the server's clock.",
    keyword_missing: "The robot wants a keyword in each message: enter it in the channel's settings.",
    message_refused: "The receiver does not take this message; its answer says why.",
    not_understood: "The answer is not one of this kind of channel: is the address right?",
    secret_unreadable: "The channel's address cannot be decrypted: its key is missing. Enter it anew.",
    interrupted: "The server stopped before an answer came. It is sent again, with a note.",
    too_late: "It could not be delivered for so long that it was given up.",
  },
};
