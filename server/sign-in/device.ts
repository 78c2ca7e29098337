type Names = readonly (readonly [pattern: RegExp, name: string])[];

/** In this order: a browser of a family also says the names of others. */
const BROWSERS: Names = [
  [/\bEdgA?\//, "Edge"],
  [/\bOPR\//, "Opera"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|CriOS|HeadlessChrome)\//, "Chrome"],
  [/\bSafari\//, "Safari"],
];
const SYSTEMS: Names = [
  [/\b(?:iPhone|iPad|iPod)\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bWindows\b/, "Windows"],
  [/\bMac OS X\b|\bMacintosh\b/, "macOS"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bLinux\b/, "Linux"],
];

const find = (names: Names, text: string) => names.find(([pattern]) => pattern.test(text))?.[1];

/** Browser and system by a `User-Agent`, like `Firefox, macOS`: words of ours, so that nothing sent is stored. */
export function describeDevice(userAgent: string | undefined): string {
  const text = (userAgent ?? "").slice(0, 500);
  return [find(BROWSERS, text), find(SYSTEMS, text)].filter((name) => name !== undefined).join(", ");
}
