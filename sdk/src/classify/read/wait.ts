const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const WEEK = 7 * DAY;

const UNIT =
  "(?:milliseconds?|millis|msecs?|ms|minutes?|mins?|months?|m|seconds?|secs?|s|hours?|hrs?|h|days?|d|weeks?|w)(?![a-z])";
const DURATION = `(?:\\d+(?:\\.\\d+)?\\s?${UNIT}(?:\\s?(?:and|,)\\s?|\\s)?){1,5}`;
/** A promise of room, then a duration: "try again in 1m3.5s", "wait 8 hours 24 minutes", "reset after 5s". */
const PROMISE = new RegExp(
  `(?:^|[^a-z])(?:try again|retry(?:ing)?|wait(?:ing)?|reset(?:s|ting)?|available|allowed|come back|back ?off|cool(?:ing)?[- ]?down|replenished)(?![a-z])(?:(?!every)[^.\\d\\n]){0,40}(${DURATION})`,
  "i",
);
/** `Retry-After: 30` quoted in a text: seconds when no unit is given. */
const QUOTED_HEADER =
  /(?:retry|reset)[-_ ]?after(?:[-_ ]?seconds)?["']?\s?[:=]\s?["']?(\d+(?:\.\d+)?)(?![\d.]*\s?[a-z])/i;
/** What a client says of its own pause between tries; longer ones it was told by the provider. */
const OWN_PAUSE = /(?:retrying|waiting|sleeping) (?:in|after|for) ~?[\d.]+\s?(?:m?s|m|milli|sec|min)[a-z]*/gi;
const ONE = /\bone (?=second|minute|hour|day|week)|一(?=秒|分钟|个?小时|天)/gi;
/** "in 5.03:23:11", as .NET writes five days and three hours. */
const CLOCK = /(?:in|after) (?:(\d+)\.)?(\d\d?):(\d\d):(\d\d)/;
const CLOCK_UNITS = [DAY, HOUR, MINUTE, SECOND];

const CHINESE_UNIT = "(?:毫秒|秒钟?|分钟?|个?小时|天)";
const CHINESE = new RegExp(
  `((?:\\d+(?:\\.\\d+)?\\s?${CHINESE_UNIT}\\s?){1,4})(?:之?后|以后|再试)|(?:等待|等候|请等)\\s?((?:\\d+(?:\\.\\d+)?\\s?${CHINESE_UNIT}\\s?){1,4})`,
);

/**
 * The wait that a text states as a duration, in milliseconds, or `null`. Clock times ("resets at 21:31") are
 * none: they need a zone and a clock.
 */
export function findStatedWait(said: string): number | null {
  const text = /ing (?:in|after|for) |one |一/.test(said)
    ? said.replace(OWN_PAUSE, "").replace(ONE, "1 ")
    : said;
  const clock = text.includes(":") ? CLOCK.exec(text) : null;
  if (clock)
    return clock.slice(1).reduce((sum, part, i) => sum + Number(part ?? 0) * (CLOCK_UNITS[i] ?? 0), 0);
  const promise = PROMISE.exec(text);
  if (promise?.[1]) return parseDuration(promise[1]);
  const header = QUOTED_HEADER.exec(text);
  if (header?.[1]) return Number(header[1]) * SECOND;
  const chinese = CHINESE.exec(text);
  return chinese ? parseDuration(chinese[1] ?? chinese[2] ?? "") : null;
}

const PARTS = /(\d+(?:\.\d+)?)\s?(毫秒|[a-z]+|秒|分|个?小时|天)/gi;

/** Milliseconds in "1m3.5s", "8 hours 24 minutes", "34.4s" or "1分30秒"; `null` when there is nothing to read. */
export function parseDuration(text: string): number | null {
  let total: number | null = null;
  for (const [, amount, unit] of text.matchAll(PARTS)) {
    const size = unitSize((unit ?? "").toLowerCase());
    if (size !== null) total = (total ?? 0) + Number(amount) * size;
  }
  return total;
}

function unitSize(unit: string): number | null {
  if (/^(?:ms|milli|msec|毫)/.test(unit)) return 1;
  if (/^mo/.test(unit)) return 30 * DAY;
  if (/^(?:m|分)/.test(unit)) return MINUTE;
  if (/^(?:s|秒)/.test(unit)) return SECOND;
  if (/^(?:h|个|小)/.test(unit)) return HOUR;
  if (/^(?:d|天)/.test(unit)) return DAY;
  return unit.startsWith("w") ? WEEK : null;
}

/** A header or field that says how long: seconds as a number, or a duration such as "6m0s"; `null` for neither. */
export function parseSeconds(value: string): number | null {
  const trimmed = value.trim();
  if (/^\d+(?:\.\d+)?$/.test(trimmed)) return Number(trimmed) * SECOND;
  return /^[\d.a-z\s]+$/i.test(trimmed) ? parseDuration(trimmed) : null;
}
