const hours = (count: number) => `${count} ${count === 1 ? "hour" : "hours"}`;
const days = (count: number) => `${count} more ${count === 1 ? "day" : "days"}`;

export const adviceEn = {
  title: "When to run",
  sentence: (advised: number, judged: number) =>
    advised === 0
      ? "For none of your models is one hour better than another, as far as can be told."
      : judged === 1
        ? "Some hours are better than others, week after week."
        : `${advised} of ${judged} models have better hours, week after week.`,
  basis: (zone: string) =>
    `Learnt from the last eight weeks, and tried on each earlier week from what was known before it. Times in ${zone}.`,
  length: "Length",
  lengthOf: hours,
  allowed: "May run",
  anytime: "At any hour",
  between: (from: string, to: string) => `${from}–${to}`,
  days: {
    all: "every day",
    weekdays: "on weekdays",
    weekend: "at weekends",
    list: (names: readonly string[]) => `on ${names.join(", ")}`,
  },
  cards: "Advice per model",
  run: (window: string, when: string) => `Run it ${window} ${when}`,
  expected: (expected: string, usual: string) =>
    `${expected} are expected to find no room, instead of ${usual}`,
  interval: (range: string) => `${range} in nine of ten weeks`,
  evidence: "How sure is that?",
  figures: { interval: "In nine of ten weeks", worst: "In the worst hours", n: "Calls learnt from" },
  tried: (inside: string, usual: string, weeks: number) =>
    `Named before each of the last ${weeks === 1 ? "week" : `${weeks} weeks`}, the hours would have had ${inside} instead of ${usual}.`,
  triedNone: "No earlier week had enough calls to try it on.",
  columns: { week: "Week", inWindow: "In the named hours", usual: "All hours", oracle: "Best in hindsight" },
  weekly: (window: string, when: string, expected: string) =>
    `For what runs once a week: ${window} ${when}, ${expected} expected.`,
  any: "Any of these models",
  use: (names: readonly string[]) => `Whichever has most room: ${names.join(", ")}`,
  toGrid: "Show in the week",
  others: "No advice",
  verdicts: {
    noGain: "nothing to gain: hardly any hour is better by much",
    noPattern: "no pattern: short at times, but not at the same hours",
    tooLittleData: (more: number) => `too few calls to say: about ${days(more)}`,
  },
  empty: "No model has been called yet.",
  recommended: "recommended",
  legend: "recommended hours",
  exports: {
    title: "For other tools",
    note: "Advised windows as timers; the published plan as other gateways read it",
    format: "Format",
    formats: {
      crontab: "crontab",
      kubernetes: "Kubernetes CronJobs",
      litellm: "LiteLLM config.yaml",
      portkey: "Portkey config",
      openrouter: "OpenRouter request",
      vercel: "Vercel AI Gateway request",
      json: "Busyhour plan",
    },
    file: "The file",
    copy: "Copy",
    copied: "Copied",
    losses: "What it cannot express",
  },
  orders: {
    toPlan: (chain: string) => `Write it into the plan of ${chain}`,
    title: "Which target first",
    note: (seconds: number) =>
      `Chains of the plan, and those that routers reported · answers within ${seconds} s`,
    empty: "The plan names no chain, and no router has reported one in the last seven days.",
    advise: (chain: string, window: string, when: string, order: string) =>
      `${chain}: ask in the order ${order}, ${window} ${when}`,
    gain: (own: string, advised: string) => `the first answers ${advised} of requests, instead of ${own}`,
    success: (own: string, advised: string) => `answered at all: ${advised}, as it is ${own}`,
    tier: (own: string, advised: string) => `by the best tier: ${advised}, as it is ${own}`,
    gainRange: (low: string, high: string) => `${low} to ${high} points in nine of ten weeks`,
    requests: (count: string) => `${count} requests a week`,
    keep: "Leave the order as it is",
    verdicts: {
      noGain: "no other order is worth a change",
      noPattern: "another order would have helped at times, but not at the same hours",
    },
    wholeDay: "all day",
  },
};

export const episodesEn = {
  title: "Episodes",
  sentence: (count: number, models: number) =>
    count === 0
      ? "No model was short of room in this range."
      : `Short of room ${count === 1 ? "once" : `${count} times`}, at ${models} ${models === 1 ? "model" : "models"}.`,
  open: (names: readonly string[]) => `${names.join(", ")} ${names.length === 1 ? "is" : "are"} short now.`,
  basis: (zone: string) =>
    `Every stretch in which a model was short, found minute by minute and mended each night. Times in ${zone}.`,
  timeline: "Timeline",
  note: (range: string, zone: string) => `${range} · ${zone}`,
  empty: "No model was short of room in this range.",
  columns: {
    target: "Model",
    when: "When",
    hours: "Opens at",
    recovery: "Usually over after",
    tries: "Tries it took",
    began: "Began",
    lasted: "Lasted",
    errors: "Without room",
    peak: "Worst ten minutes",
    wide: "Reach",
  },
  strip: (name: string, count: number) => `${name}: ${count} ${count === 1 ? "episode" : "episodes"}`,
  hoursLabel: (name: string, hour: string) => `Hours at which episodes of ${name} began; mostly ${hour}`,
  recovery: (half: string, most: string) => `${half} (nine of ten: ${most})`,
  list: "One by one",
  listNote: (shown: number, all: number) => (shown < all ? `The last ${shown} of ${all}` : "Newest first"),
  goesOn: "goes on",
  wide: "whole provider",
  alone: "this model",
  errors: (errors: string, attempts: string) => `${errors} of ${attempts}`,
  why: "Why?",
  whyOf: (name: string, when: string) => `Why was ${name} short, ${when}?`,
  whyRange: "Why in this range?",
  allModels: "All models",
  chooser: "Model",
  diagnosis: {
    title: (name: string) => `Why was ${name} short?`,
    marks: { points: "points here", clear: "not this", unknown: "not known" },
    toDo: "What to do",
    numbers: "All targets at the time",
    usual: "usually",
  },
};
