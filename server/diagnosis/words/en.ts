import { reachedBy } from "../judge-others.ts";
import type { DiagnosisWords } from "./words.ts";

const list = (parts: readonly string[]) => parts.join(", ");

export const wordsEn: DiagnosisWords = {
  counts: (k, n) => ` (${k} of ${n})`,
  noCalls: "no calls",
  sentence: (name, cell, usual, cause) => `${name}: ${cell} found no room, usually ${usual}. ${cause}`,
  asks: {
    kind: "Is it capacity at all?",
    traffic: "Did our own traffic grow?",
    attempts: "Do our own retries make the load?",
    concurrency: "Do we call too often at once?",
    scope: "How far did it reach?",
    elsewhere: "Would another model or hour have worked?",
  },
  causes: {
    none: "That is not short of room.",
    tooFew: "Too few calls to say why.",
    notCapacity: "But most failures were of another kind.",
    ownTraffic: "Your own traffic had grown.",
    ownRetries: "Your own retries made much of the load.",
    ownConcurrency: "You called it too often at once.",
    asUsual: "These hours are usually as crowded.",
    endpoint: "This endpoint was crowded; others of the model had room.",
    model: "This model was crowded, not the provider.",
    provider: "The whole provider was short of room.",
    everything: "All providers that you call were short of room.",
    unclear: "How far that reached cannot be told.",
  },

  kind({ verdict, capacity, usual, failures, leading }, { cell, share, outcome, number }) {
    switch (verdict) {
      case "tooFew":
        return `Only ${number(capacity.n)} calls that count: too few to say anything of.`;
      case "none":
        return `Hardly: ${cell(capacity)} found no room, usually ${share(usual.rate)}.`;
      case "other": {
        const most = leading ?? "unknown";
        return `No: most failures are “${outcome(most).name}” (${number(failures[most] ?? 0)}), against ${number(capacity.k)} without room.`;
      }
      case "capacity":
        return `Yes: ${cell(capacity)} found no room, usually ${share(usual.rate)}.`;
    }
  },
  traffic({ verdict, perHour, usualPerHour, weeks }, { number }) {
    const now = `${number(perHour, perHour < 10 ? 1 : 0)} requests an hour`;
    if (usualPerHour === null) return `${now}; there is no earlier week to hold that against.`;
    const usual = `${number(usualPerHour, usualPerHour < 10 ? 1 : 0)} in the same hours of ${weeks === 1 ? "the week" : `${weeks} weeks`} before`;
    if (verdict === "grew") return `Your traffic had grown: ${now}, against ${usual}.`;
    if (verdict === "fell") return `You sent less than usual: ${now}, against ${usual}.`;
    return `As usual: ${now}, against ${usual}.`;
  },
  attempts({ verdict, perRequest, usualPerRequest, layers, unlinked }, { number }) {
    if (perRequest === null || verdict === "unknown")
      return `Not known: ${unlinked === 0 ? "too few attempts" : `${number(unlinked)} attempts came without a request id`}, so repeats cannot be told from requests.`;
    const before = usualPerRequest === null ? "" : `, ${number(usualPerRequest, 2)} the day before`;
    if (verdict === "normal")
      return `Few repeats: ${number(perRequest, 2)} attempts a request here${before}.`;
    const top = layers[0];
    const who =
      top === undefined
        ? ""
        : ` Most come from ${top.source === "" ? "a source without a name" : top.source}, ${top.chain === "" ? "outside of a router" : `chain ${top.chain}`}: ${number(top.perRequest, 2)}.`;
    return `A retry storm: ${number(perRequest, 2)} attempts a request at this target${before}.${who}`;
  },
  concurrency({ verdict, atOnceP50, atOnceMost, level, below, from }, { number, cell }) {
    if (verdict === "unknown" || atOnceP50 === null || atOnceMost === null)
      return "Not known: too few attempts say how many calls were under way (inFlight).";
    if (level === null || below === null || from === null)
      return `Not the cause: errors come at any number at once (half at ${number(atOnceP50)} or fewer, ${number(atOnceMost)} at most).`;
    return `Errors begin at ${number(level)} calls at once: ${cell(from)} from there on, ${cell(below)} below.`;
  },
  scope({ verdict, targets }, { cell, target }) {
    const short = reachedBy(verdict, targets);
    const names = list(short.slice(0, 5).map((one) => `${target(one)} ${cell(one.capacity)}`));
    switch (verdict) {
      case "nothing":
        return "No target was short at the time.";
      case "unknown":
        return "Not known: nothing else was called enough at the time.";
      case "endpoint":
        return `This endpoint alone: ${names}; the model had room elsewhere.`;
      case "model":
        return `This model: ${names}; others had room.`;
      case "provider":
        return `The provider: ${names}.`;
      case "everything":
        return `Everything: ${names}.`;
    }
  },
  elsewhere({ verdict, model, hour, window }, { cell, target, time, share }) {
    const parts: string[] = [];
    if (model !== null) parts.push(`${target(model)} had room: ${cell(model.capacity)}`);
    if (hour !== null) parts.push(`here ${time(hour.from, hour.to)}: ${cell(hour.capacity)}`);
    const measured =
      verdict === "neither" ? "No other target or near hour had much more room." : `Yes: ${list(parts)}.`;
    return window === null
      ? measured
      : `${measured} Its busy hours repeat: ${window.from}–${window.to} is expected to have ${share(window.expected)}.`;
  },

  everyModel: "All models",
  toDo: "What to do",
  remedies: {
    nothing: () => "Nothing needs to be done.",
    gather: () => "Look at a longer range, or wait for more calls.",
    mendFailure: ({ findings }, { outcome }) => outcome(findings.kind.leading ?? "unknown").doNow,
    spreadLoad: () => "Spread your own calls out, hold back what can wait, or ask the provider for more.",
    retryLess: ({ findings }) =>
      `Let one layer alone repeat, at most three to five tries with growing waits and a retry budget${findings.attempts.layers[0]?.chain === "" ? "; set the client's own retries to 0" : ""}.`,
    fewerAtOnce: ({ findings }, { number }) =>
      `Keep at most ${number(Math.max(1, (findings.concurrency.level ?? 2) - 1))} calls at once to it.`,
    useOther: ({ findings }, { target, share }) => {
      const model = findings.elsewhere.model;
      return model === null
        ? ""
        : `Send such calls to ${target(model)}: ${share(model.capacity.rate)} found no room there at the time.`;
    },
    moveToWindow: ({ findings }, { share }) => {
      const window = findings.elsewhere.window;
      return window === null
        ? ""
        : `Move what can wait to ${window.from}–${window.to}: expected ${share(window.expected)}.`;
    },
    waitOut: ({ recoveryMinutes }, { number }) =>
      `Wait: half of its episodes were over after ${number(recoveryMinutes ?? 0)} minutes.`,
    addProvider: () => "Add a target at another provider, and a cheap one as the floor of the chain.",
  },
};
