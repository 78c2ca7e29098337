import type { Outcome } from "@busyhour/sdk";
import { adviceEn, episodesEn } from "./advice-en.ts";
import { settingsEn } from "./settings-en.ts";

const WORDS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
const inWords = (value: number) => WORDS[value] ?? String(value);
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const lower = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);
const models = (count: number) => (count === 1 ? "model" : "models");

export const en = {
  settings: settingsEn,
  advice: adviceEn,
  episodes: episodesEn,
  product: "Busyhour",
  skip: "Skip to the content",
  navigation: "Pages",
  pages: {
    now: "Now & when",
    advice: "When to run",
    episodes: "Episodes",
    models: "Models",
    sources: "Sources",
    errors: "Name an error",
    settings: "Settings",
    alerts: "Alerts",
    routing: "Routing",
    queue: "Queue",
  },
  close: "Close",
  menu: "View",
  retry: "Try again",

  header: {
    project: "Project",
    range: "Range",
    usualRange: "Usual range",
    usualRangeHint: "Each panel takes the range that suits it",
    last: (text: string) => {
      const amount = text.slice(0, -1);
      const unit = text.endsWith("h") ? "hour" : "day";
      return `Last ${amount} ${unit}${amount === "1" ? "" : "s"}`;
    },
    earlier: "Earlier",
    later: "Later",
    from: "From",
    to: "To",
    apply: "Apply",
    timesIn: (zone: string) => `Times in ${zone}`,
    zone: "Time zone",
    zoneOfProject: (zone: string) => `${zone} (project)`,
    zoneOfBrowser: (zone: string) => `${zone} (this browser)`,
    otherZones: "All zones",
    compare: "Compare with",
    against: (what: string) => `against ${lower(what)}`,
    comparisons: {
      none: "Nothing",
      before: "The period before",
      week: "A week earlier",
      month: "Four weeks earlier",
    },
    theme: "Theme",
    themes: { system: "As the system", light: "Light", dark: "Dark" },
    language: "Language",
    shortcuts: "Keyboard shortcuts",
    signOut: "Sign out",
  },

  shortcuts: {
    title: "Keyboard shortcuts",
    rows: [
      ["g n", "Now & when"],
      ["g w", "When to run"],
      ["g b", "Episodes"],
      ["g m", "Models"],
      ["g s", "Sources"],
      ["g e", "Name an error"],
      ["g q", "Queue"],
      ["g c", "Settings"],
      ["[ ]", "Range earlier, later"],
      ["t", "Range"],
      ["z", "Time zone"],
      ["d", "Light or dark"],
      ["?", "This list"],
      ["← ↑ → ↓", "In a grid: from cell to cell"],
      ["Home End", "In a grid: first, last cell of the row"],
      ["PgUp PgDn", "In a grid: first, last row"],
    ] as [string, string][],
    singleKeys: "Use single-key shortcuts",
  },

  sample: {
    band: "Sample data: made-up traffic, no provider was measured.",
    remove: "Remove sample data",
    showMine: "Show my data",
    show: "Show sample data",
    making: "Making eight weeks of sample traffic… (about 20 seconds)",
    removing: "Removing…",
    failed: (reason: string) => `That did not work: ${reason}`,
  },

  states: {
    loading: "Loading…",
    failed: "This could not be loaded.",
    serverAway: "The server does not answer.",
    serverAwayHint: "Is Busyhour running? What was loaded before stays on the screen.",
    offline: "This device is offline.",
    asOf: (time: string) => `As of ${time}`,
    stale: (time: string) => `Not up to date: as of ${time}.`,
    notFound: "There is no such page.",
    noProject: "There is no such project.",
    toStart: "To the start page",
    broken: "Something broke on this page.",
  },

  signIn: {
    title: "Sign in with a link",
    failedTitle: "This link does not work any more",
    failed: "It was used already, or it is older than an hour. Each link works once.",
    how: "On the machine where it runs, in the folder that it was started in, this command prints a link that works once, within an hour:",
    command: "npx busyhour sign-in",
    again: "I have opened the link: continue",
    toStart: "Signed in already? Go to the start page",
    nameError: "Or name an error without signing in",
  },

  panel: {
    table: "View as table",
    picture: "View as chart",
    download: "Download",
    downloadLabel: (title: string) => `Download “${title}”`,
    files: {
      csv: "CSV: the numbers, for spreadsheets",
      json: "JSON: the numbers, for programs",
      svg: "SVG: the picture, to any size",
      png: "PNG: the picture",
    },
    saveFailed: "The file could not be made.",
    calls: (count: string) => `n = ${count}`,
    copyLink: "Copy link",
    copied: "Link copied",
    copyFailed: "Copying is not allowed here",
    sortBy: (column: string) => `Sort by ${column}`,
  },

  cell: {
    counts: (k: string, n: string) => `${k} of ${n}`,
    interval: "95 % interval",
    state: { none: "no calls", few: "too few calls", enough: "enough data" },
    tooFewToCompare: "too few to compare",
    change: (points: string, share: string, counts: string) => `${points} points: was ${share} (${counts})`,
    open: "Click or Enter: more of this hour",
    spoken: (share: string, counts: string, interval: string, state: string | null) =>
      `${share}, ${counts}, 95 % interval ${interval}${state === null ? "" : `, ${state}`}`,
  },

  /** Heads of the numbers of a cell. */
  cellColumns: {
    share: "Share",
    errors: "Capacity errors",
    calls: "Calls",
    low: "Low (95 %)",
    high: "High (95 %)",
    state: "Data",
  },

  columns: {
    day: "Day",
    hour: "Hour",
    time: "Time",
    provider: "Provider",
    model: "Model",
    endpoint: "Endpoint",
    before: "Before",
    change: "Change (points)",
    beforeCalls: "Calls before",
    attempts: "Attempts",
    requests: "Requests",
    p50: "Half within (ms)",
    p95: "95 % within (ms)",
    lastSeen: "Last call",
    offset: "UTC offset",
  },

  quantilesShort: { p50: "Half within", p95: "95 % within" },

  count: {
    label: "Count",
    attempts: "Attempts",
    requests: "Requests",
    attemptsHint: "Attempts: what the providers did, each try counted.",
    requestsHint: "Requests: what users felt, after retries and fallbacks.",
  },

  now: {
    title: "Now & when",
    short: (names: readonly string[]) =>
      names.length === 1
        ? `${names[0]} is short of capacity now.`
        : `${names[0]} and ${names[1]} are short of capacity now.`,
    /** `isPlain`: no model has two endpoints, so that models are what is counted. */
    shortMany: (short: number, judged: number, isPlain: boolean) =>
      `${capital(inWords(short))} of ${inWords(judged)} ${isPlain ? "models" : "model endpoints"} are short of capacity now.`,
    noneShort: (judged: number, isPlain: boolean) =>
      judged === 1
        ? "The model has room now."
        : `All ${inWords(judged)} ${isPlain ? "models" : "model endpoints"} have room now.`,
    noneShortSomeTight: (tight: number) =>
      `No model is short of capacity now; ${inWords(tight)} ${tight === 1 ? "is" : "are"} tight.`,
    fewNow: "Too few calls right now to say how busy the models are.",
    silentNow: "No calls in the last three hours.",
    goodAlways: "The next 24 hours are usually good.",
    goodNow: (until: string) => `Usually good until ${until}.`,
    goodNowAnd: (until: string, next: string) => `Usually good until ${until}, then again ${next}.`,
    goodNext: (runs: readonly string[]) => `Next good hours: ${runs.join(" and ")}.`,
    goodNone: (hour: string, share: string) =>
      `No good hours in the next day; the least busy begins at ${hour} (${share}).`,
    goodUnknown: "Not enough calls yet to say when the good hours are.",
    span: (from: string, to: string) => `${from}–${to}`,
    basis: (zone: string) =>
      `Now: the last hour, or three where one is too thin. Good: usually under 2 % capacity errors. Times in ${zone}.`,
    unsure: (few: number) => `${capital(inWords(few))} ${models(few)} with too few calls to judge now.`,
    tiles: "Models now",
    allModels: "All models",
    showAllTiles: (count: number) => `Show all ${count}`,
    showFewerTiles: "Show fewer",
    tile: { short: "Short", tight: "Tight", room: "Has room", few: "Too few calls", silent: "No calls" },
    lastHours: (hours: number) => (hours === 1 ? "last hour" : `last ${hours} h`),
    usual: (share: string) => `usual ${share}`,
    usualUnknown: "usual unknown",
    pick: (name: string) => `Show the week of ${name}`,
    openModel: (name: string) => `Open ${name}`,
  },

  week: {
    title: "Busy hours of the week",
    note: (range: string, zone: string) => `${range} · per hour of week · ${zone}`,
    usualRange: "Last 28 days",
    chooser: "Model",
    now: "now",
    legend: "Share of calls without room",
    legendSteps: ["0", "≤ 1", "≤ 2", "≤ 5", "≤ 10", "≤ 25", "> 25 %"],
    legendNone: "no calls",
    legendFew: "too few calls (under 20)",
    instructions: "Arrow keys move from hour to hour.",
    hint: "Point at an hour, or walk with the arrow keys; a click or Enter opens it.",
    hintByTouch: "Touch an hour to open it.",
    empty: "No calls in this range.",
    thin: "Most hours have fewer than 20 calls yet: faint and dotted ones prove nothing.",
    thinBy: (perHour: string, when: string) =>
      `At your pace, about ${perHour} calls an hour, half of the hours have them by ${when}.`,
    thinNever: (perHour: string, reachable: number, isAll: boolean) =>
      `At your pace, about ${perHour} calls an hour, ${reachable === 0 ? "no hour" : `${reachable} of 168 hours`} will have them within this range: a longer one${isAll ? "" : ", or all models together,"} says more.`,
  },

  /** One hour of a grid, opened. */
  hour: {
    times: "Each time",
    timesOf: (shown: number, all: number) => `The last ${shown} of ${all} times.`,
    endings: "How they ended",
    places: "Where there was no room",
    failures: "What was answered",
    noText: "no text",
    noWaits: "None of them said how long to wait.",
    waits: (min: string, median: string, max: string, waits: string, all: string) =>
      `Asked to wait ${median} (from ${min} to ${max}), by ${waits} of ${all} answers.`,
    onlyThis: "Look at this hour alone",
  },

  changes: {
    title: "Worst changes against last week",
    note: "Last 7 days against the 7 days before",
    empty: "No model got worse in the last 7 days.",
    noCalls: "No calls in the last 7 days.",
    tooThin: "Too few calls yet to compare one week with another.",
    was: (share: string, counts: string) => `was ${share} (${counts})`,
    points: (value: string) => `${value} points`,
    maybeChance: "may be chance",
  },

  empty: {
    title: "No calls yet",
    text: "Busyhour learns from your own calls. Send the first one, and this page begins to fill at once.",
    connect: "Connect a source",
    sample: "Or look around in eight weeks of sample data first.",
    outside: (last: string) => `No calls in this range. The last one was ${last}.`,
    showLast: (range: string) => `Show ${range}`,
  },

  models: {
    title: "Models",
    note: (range: string, zone: string) => `${range} · ${zone}`,
    filter: "Filter by name",
    noMatch: "No model has this in its name.",
    popular: "Usual day",
    popularHint: "What is usual by hour on this day of the week; the bar of this hour is marked",
    target: "Model",
    share: "Capacity errors",
    open: (name: string) => `Open ${name}`,
    back: "All models",
    neverCalled: (name: string) => `${name} was never called in this project.`,
    noTarget: "No model is named in this address.",
    allEndpoints: "All endpoints",
    endpoint: "Endpoint",
    calendar: "Calendar",
    calendarNote: (range: string, zone: string) => `${range} · date × hour · ${zone}`,
    outcomes: "How attempts ended",
    seriesNote: (range: string, step: string, zone: string) => `${range} · per ${step} · ${zone}`,
    steps: { "1m": "minute", "5m": "5 minutes", "15m": "15 minutes", "1h": "hour", "1d": "day" },
    withOk: "Show successes",
    capacity: "Capacity errors over time",
    latency: "Time of successful calls",
    firstToken: "Time until the first token",
    firstTokenShort: "First token",
    unnamedEndpoint: "(none named)",
    figuresLabel: "Figures",
    figuresNote: (range: string, comparison: string) => `${range}, against ${lower(comparison)}`,
    clockChanges: (dates: readonly string[]) =>
      `Clocks changed on ${dates.join(", ")}: that day has 23 or 25 hours.`,
    tooThin: "Too few calls per bucket to draw a share: take a longer range.",
    quantiles: { p50: "half within", p95: "95 % within", p99: "99 % within" },
    beforeLabel: (label: string) => `${label}, earlier`,
    endpoints: "Endpoints",
    figures: {
      share: "Capacity errors",
      success: "Success",
      attempts: "Attempts",
      requests: "Requests",
      p95: "95 % of calls within",
      firstToken: "First token, half within",
    },
    against: (value: string) => `before: ${value}`,
    noFailures: "Every attempt of this range succeeded.",
    noTimes: "No times were reported in this range.",
    unfinished: "unfinished",
  },

  outcomes: {
    ok: "ok",
    capacity: "capacity error",
    rate_limit: "rate limited",
    quota: "quota used up",
    auth: "key not accepted",
    permission: "not permitted",
    not_found: "not found",
    invalid_request: "invalid request",
    context_length: "input too long",
    content_filter: "content filter",
    timeout: "timeout",
    network: "network error",
    server_error: "server error",
    cancelled: "cancelled",
    unknown: "unknown failure",
    bad_output: "bad output",
  } satisfies Record<Outcome, string>,

  errors: {
    title: "Name an error",
    intro:
      "Paste what a model call failed with: the client's text, the body as JSON, an answer as `curl -i` prints it, or lines as `busyhour classify` takes them.",
    privacy:
      "It is named inside this browser. Nothing that you paste is sent, stored or put into the address.",
    pasted: "The error",
    provider: "Provider, if you know it",
    status: "HTTP status, if you know it",
    badStatus: "A status is a number from 100 to 599.",
    clear: "Clear",
    examples: "Or look at three that all come with status 429:",
    exampleNames: { full: "One", limit: "Two", empty: "Three" },
    nothing: "What it is, why it came and what to do now will stand here.",
    named: (count: number, name: string) =>
      count === 1 ? `Named: ${name}` : `${capital(inWords(count))} errors named`,
    ownRules: (count: number) =>
      `Asked first: the ${count === 1 ? "rule" : `${inWords(count)} rules`} of this project's own.`,
    ownRulesAway: "The rules of this project's own could not be loaded: named by the standard ones alone.",
    ownRulesClosed: "Signed in, a project's own rules are asked first.",
    leftOut: (count: string) =>
      `${count} more lines are not shown: \`busyhour classify\` takes files of any size.`,
    line: (line: number, fault: string) => `Line ${line} ${fault}`,
    faults: {
      json: "is no JSON.",
      object: 'is no object. It is one such as {"id": 1, "status": 429, "body": …}.',
      status: "has a `status` that is no number from 100 to 599.",
      provider: "has a `provider` that is no text.",
      model: "has a `model` that is no text.",
      headers: 'has `headers` that are no object such as {"retry-after": "3"}.',
    },
    now: "What to do now",
    facts: {
      severity: "Kind",
      again: "The same call again",
      wait: "Stated wait",
      scope: "Concerns",
      switching: "Another model or provider",
      code: "Provider's code",
      status: "Status",
      rule: "Rule",
    },
    severity: {
      none: "no failure of the provider's",
      soft: "soft: it passes by itself",
      hard: "hard: it stays until something is changed",
    },
    again: {
      yes: "worth it",
      after: "worth it after the stated wait",
      no: "hopeless",
      needless: "not needed",
    },
    noWait: "none",
    scope: {
      model: "this model",
      account: "your account at this provider",
      provider: "everything at this provider",
      request: "this request",
    },
    switching: { yes: "may answer", no: "will not help" },
    ownRule: "your own rule",
  },

  rules: {
    title: "Rules of your own",
    note: "of this project, asked before those that come with Busyhour",
    intro:
      "Where the name above is wrong, a rule of your own makes it right: for every failure that arrives from now on without a name from its sender.",
    label: "Rules as JSON",
    example: "Put in an example",
    fields:
      "A rule has `id`, `outcome` and `because`, and at least one of `code`, `text` and `status`. In `text`, `|` parts phrases, `word*` is the beginning of a word and `..` a gap within a sentence.",
    save: "Save rules",
    saving: "Saving…",
    discard: "Discard changes",
    saved: (count: number) =>
      count === 0
        ? "Saved: no rules of your own hold from now on."
        : `Saved: ${inWords(count)} ${count === 1 ? "rule holds" : "rules hold"} from now on.`,
    stored:
      "What is stored keeps its names until `npx busyhour reclassify` has run, in the folder that Busyhour was started in. With `--dry-run` it shows first what would change.",
    noJson: (reason: string) => `This is no JSON: ${reason}`,
    faults: (count: number) =>
      count === 1
        ? "The rules were not saved: one thing is wrong."
        : `The rules were not saved: ${inWords(count)} things are wrong.`,
    ofRule: (place: number, id: string | null) => `Rule ${place}${id === null ? "" : ` (${id})`}`,
    show: "Mark it in the text",
    readOnly: "Only admins of this project may change them.",
    none: "This project has no rules of its own.",
  },

  sources: {
    title: "Sources",
    connect: "Connect a source",
    step1: "Create an ingest key",
    step1Hint: "It may send events and nothing else. It is shown once.",
    step2: "Copy the snippet that suits what you run",
    step3: "See the first event arrive",
    keyName: "Name of the key",
    kinds: { ingest: "send events", read: "read figures", admin: "do everything in this project" },
    createKey: "Create key",
    shownOnce: "Copy it now: it is not shown again.",
    copyKey: "Copy key",
    copySnippet: "Copy",
    copied: "Copied",
    keyMissing: "Create a key first, and it is filled in here.",
    placeholderKey: "YOUR_KEY",
    snippet: "Example for",
    snippets: {
      curl: "curl",
      typescript: "TypeScript",
      sdk: "SDK",
      python: "Python",
      opentelemetry: "OpenTelemetry",
      litellm: "LiteLLM",
      csv: "CSV of past logs",
    },
    snippetHints: {
      csv: "Run it in the folder that Busyhour was started in. It reads a log with a header line and recognises columns by their names. Running it twice stores nothing twice.",
      sdk: "Batches, repeats what did not arrive, and never delays or disturbs the app. Every attempt is one report, retries too.",
      opentelemetry:
        "For apps whose model calls are traced already; http/json works as well. Traces hide most retries: where you can, report attempts.",
      litellm:
        "In the configuration of LiteLLM's proxy. Leave event_types out: without failures there is nothing to learn.",
    },
    expected: (answer: string) => `Expected answer: ${answer}`,
    waiting: "Waiting for the first event…",
    waitingHint: "This page looks every few seconds.",
    received: (count: string, value: number) => `Received: ${count} ${value === 1 ? "event" : "events"}`,
    receivedLast: (ago: string) => `last one ${ago}`,
    rejectedLast: "The last rejected event",
    rejectedFix: (pointer: string, detail: string) => `${pointer}: ${detail}`,
    toNow: "See it on Now & when",
    test: "Send a test event",
    testing: "Sending…",
    testDone: (accepted: string, rejected: string) => `${accepted} stored, ${rejected} rejected`,
    testHint:
      "Sends one success and one capacity error of a model named test-model from the source busyhour-test, by the same way as your own.",
    testFailed: (reason: string) => `The test event was not taken: ${reason}`,
    keys: "Keys",
    keysNote: "of this project, revoked ones included",
    noKeys: "No keys yet.",
    keyColumns: {
      name: "Name",
      may: "May",
      key: "Key",
      created: "Created",
      used: "Last used",
      action: "Action",
    },
    never: "never",
    revoke: "Revoke",
    revokeLabel: (name: string) => `Revoke ${name}`,
    revokeTitle: (name: string) => `Revoke “${name}”?`,
    revokeText: "What uses this key is refused from now on. This cannot be undone.",
    revoked: (when: string) => `revoked ${when}`,
    cancel: "Keep it",
    list: "Who sends",
    listEmpty: "Nothing has sent events in this range.",
    unnamed: "(no source named)",
    listColumns: {
      source: "Source",
      last: "Last event",
      rate: "Events per hour",
      failures: "Failures",
      capacity: "Capacity errors",
      rejected: "Rejected",
      dropped: "Dropped by the sender",
      clock: "Clock",
      warning: "To look at",
    },
    was: (rate: string) => `was ${rate}`,
    rejectedOf: (rejected: string, all: string) => `${rejected} of ${all}`,
    droppedLast: (ago: string) => `last heard of ${ago}`,
    clockAhead: (length: string) => `${length} ahead`,
    clockBehind: (length: string) => `${length} behind, or sent late`,
    clockRight: "right",
    clockColumn: "Clock ahead (ms)",
    warnings: {
      hidesRetries: "retries missing",
      omitsFailures: "failures missing",
      clockOff: "clock is off",
      rejects: "rejected events",
      drops: "dropped events before sending",
    },
    blindSpots: {
      title: "What these sources do not show",
      probably: (text: string) => `Probably: ${lower(text)}`,
      hidesRetries: (instrument: string) =>
        `Retried attempts are missing: ${instrument} makes one record of all attempts of a call, so capacity errors that a retry cured are not counted. Report each attempt (SDK or POST /v1/attempts), or set the client's retries to 0 and retry around it.`,
      omitsFailures: (calls: string) =>
        `Failures are missing: ${calls} calls and not one failure. Error shares of this source are too low. Report failures (SDK or POST /v1/attempts), or change the instrumentation; in LiteLLM leave event_types out.`,
      instrument: "the instrumentation",
    },
    keysForAdmins: "Keys are made by admins of the project: ask one of them.",
    sampleHint: "This is the sample project. Connect what you run in your own one.",
  },
};

export type Messages = typeof en;
