export type Language = "en" | "zh";

/** Numbers and times as people of a language read them, in one zone. */
export interface Formats {
  readonly zone: string;
  count(value: number): string;
  /** So many per hour: one digit below ten. */
  rate(value: number): string;
  /** A ratio 0–1 as per cent: `4.4 %`, `12.3 %`, `<0.1 %`; exactly none is `0 %`. */
  share(ratio: number): string;
  /** The same without its sign, for the inside of a cell. */
  shareShort(ratio: number): string;
  shareRange(low: number, high: number): string;
  /** A difference of two ratios, in points with its sign. */
  points(difference: number): string;
  milliseconds(ms: number | null): string;
  /** In whole seconds, minutes from two on, hours from two on. */
  duration(ms: number): string;
  /** `14:00`, 24 hours. */
  hour(hour: number): string;
  weekday(weekday: number, style: "short" | "long"): string;
  time(ms: number): string;
  dateTime(ms: number): string;
  day(ms: number): string;
  /** Of a calendar date like `2026-11-29`, whatever the zone. */
  date(date: string): string;
  ago(ms: number, nowMs: number): string;
}

const LOCALES: Readonly<Record<Language, string>> = { en: "en-GB", zh: "zh-CN" };
/** A Monday. */
const MONDAY_MS = Date.UTC(2024, 0, 1);
const DAY_MS = 86_400_000;
/** Keeps the number and its sign together. */
const THIN = "\u202f";

/** Made when it is first needed: the browser's formatters are dear to make, and no page needs all of them. */
function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

export function createFormats(language: Language, zone: string): Formats {
  const locale = LOCALES[language];
  const inZone = (options: Intl.DateTimeFormatOptions) =>
    lazy(() => new Intl.DateTimeFormat(locale, { timeZone: zone, hourCycle: "h23", ...options }));
  const inUtc = (options: Intl.DateTimeFormatOptions) =>
    lazy(() => new Intl.DateTimeFormat(locale, { timeZone: "UTC", ...options }));
  const integer = lazy(() => new Intl.NumberFormat(locale, { maximumFractionDigits: 0 }));
  const oneDigit = lazy(
    () => new Intl.NumberFormat(locale, { minimumFractionDigits: 1, maximumFractionDigits: 1 }),
  );
  const time = inZone({ hour: "2-digit", minute: "2-digit" });
  const dateTime = inZone({
    weekday: "short",
    day: "numeric",
    month: "short",
    hour: "2-digit",
    minute: "2-digit",
  });
  const day = inZone({ day: "numeric", month: "short" });
  const date = inUtc({ weekday: "short", day: "numeric", month: "short" });
  const weekdays = { short: inUtc({ weekday: "short" }), long: inUtc({ weekday: "long" }) };
  const justNow = lazy(() => new Intl.RelativeTimeFormat(locale, { numeric: "auto" }));
  const relative = lazy(() => new Intl.RelativeTimeFormat(locale, { numeric: "always", style: "short" }));

  const percent = (ratio: number) => {
    if (ratio === 0) return "0";
    if (ratio < 0.0005) return `<${oneDigit().format(0.1)}`;
    return ratio === 1 ? "100" : oneDigit().format(ratio * 100);
  };

  return {
    zone,
    count: (value) => integer().format(value),
    rate: (value) => (value < 9.95 ? oneDigit() : integer()).format(value),
    share: (ratio) => `${percent(ratio)}${THIN}%`,
    shareShort: percent,
    shareRange: (low, high) => `${percent(low)}–${percent(high)}${THIN}%`,
    points: (difference) => {
      const size = oneDigit().format(Math.abs(difference) * 100);
      return size === oneDigit().format(0) ? `±${size}` : `${difference > 0 ? "+" : "−"}${size}`;
    },
    milliseconds: (ms) => {
      if (ms === null) return "–";
      return ms < 995 ? `${integer().format(ms)}${THIN}ms` : `${oneDigit().format(ms / 1000)}${THIN}s`;
    },
    duration: (ms) => {
      const [value, unit] =
        ms < 120_000
          ? [ms / 1000, "second"]
          : ms < 7_200_000
            ? [ms / 60_000, "minute"]
            : [ms / 3_600_000, "hour"];
      return new Intl.NumberFormat(locale, {
        style: "unit",
        unit: unit as string,
        maximumFractionDigits: 0,
      }).format(value as number);
    },
    hour: (hour) => `${String(((hour % 24) + 24) % 24).padStart(2, "0")}:00`,
    weekday: (weekday, style) => weekdays[style]().format(MONDAY_MS + weekday * DAY_MS),
    time: (ms) => time().format(ms),
    dateTime: (ms) => dateTime().format(ms),
    day: (ms) => day().format(ms),
    date: (text) => date().format(Date.parse(`${text}T00:00:00Z`)),
    ago: (ms, nowMs) => {
      const seconds = Math.max(0, Math.round((nowMs - ms) / 1000));
      if (seconds < 5) return justNow().format(0, "second");
      if (seconds < 60) return relative().format(-seconds, "second");
      if (seconds < 3600) return relative().format(-Math.floor(seconds / 60), "minute");
      if (seconds < 86_400) return relative().format(-Math.floor(seconds / 3600), "hour");
      return relative().format(-Math.floor(seconds / 86_400), "day");
    },
  };
}
