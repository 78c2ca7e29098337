import type { StatusWords } from "./words.ts";

/** Times as readers of a language read them, in one zone; 24 hours. */
export interface Times {
  readonly zone: string;
  /** `14:03` */
  readonly time: (ms: number) => string;
  /** `Tue 12 Nov` */
  readonly date: (ms: number) => string;
  /** `Tue 12 Nov, 14:03` */
  readonly dateTime: (ms: number) => string;
  /** The time alone where it is of the same date as another instant. */
  readonly near: (ms: number, otherMs: number) => string;
  readonly count: (value: number) => string;
  /** `98.7 %`; what is not all is never rounded to it. */
  readonly percent: (share: number) => string;
}

const KEPT = 200;
const kept = new Map<string, Times>();

/** Formatters are dear to make, so those of the last zones are kept. */
export function timesOf(words: StatusWords, zone: string): Times {
  const key = `${words.locale} ${zone}`;
  let times = kept.get(key);
  if (times === undefined) {
    times = makeTimes(words.locale, zone);
    if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? "");
    kept.set(key, times);
  }
  return times;
}

function makeTimes(locale: string, zone: string): Times {
  const format = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: zone, hourCycle: "h23", ...options });
  const time = format({ hour: "2-digit", minute: "2-digit" });
  const date = format({ weekday: "short", day: "numeric", month: "short" });
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
  const [none, one] = [0, 1].map(
    (digits) =>
      new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return {
    zone,
    time: (ms) => time.format(ms),
    date: (ms) => date.format(ms),
    dateTime: (ms) => `${date.format(ms)}${locale === "zh-CN" ? " " : ", "}${time.format(ms)}`,
    near: (ms, otherMs) =>
      date.format(ms) === date.format(otherMs) ? time.format(ms) : `${date.format(ms)} ${time.format(ms)}`,
    count: (value) => number.format(value),
    percent: (share) => {
      const percent = Math.floor(share * 1000) / 10;
      return `${(share === 1 ? none : one)?.format(percent)}${locale === "zh-CN" ? "" : "\u202f"}%`;
    },
  };
}
