import type { Language } from "../../messages/formats.ts";

const UNITS = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
  ["second", 1],
] as const;

/** A wait in its two largest units, rounded up: `8 hr 24 min`, `6 sec`, `250 ms`. Who waits must not wait too little. */
export function formatWait(ms: number, language: Language): string {
  const locale = language === "zh" ? "zh-CN" : "en-GB";
  const write = (value: number, unit: string) =>
    new Intl.NumberFormat(locale, { style: "unit", unit, unitDisplay: "short" }).format(value);
  if (ms < 1_000) return write(Math.ceil(ms), "millisecond");
  const first = UNITS.findIndex(([, seconds]) => ms >= seconds * 1_000);
  const last = UNITS[Math.min(first + 1, UNITS.length - 1)] ?? UNITS[3];
  // Rounded up in the smaller unit, which may make the larger one whole.
  let left = Math.ceil(ms / 1_000 / last[1]) * last[1];
  const parts: string[] = [];
  for (const [unit, seconds] of UNITS) {
    const count = Math.floor(left / seconds);
    left -= count * seconds;
    if (count > 0) parts.push(write(count, unit));
  }
  return parts.join(" ");
}
