import type { Outcome } from "@busyhour/sdk";
import type { Alert } from "../../../../server/contract/alert.ts";
import type { RuleMatcher } from "../../../../server/contract/alert-rule.ts";
import type { Formats } from "../../messages/formats.ts";
import type { AlertWords } from "./use-alerts.ts";

/** What it takes to word an alert in one's language. */
export interface Tongue {
  readonly words: AlertWords;
  readonly outcomes: Readonly<Record<Outcome, string>>;
  readonly formats: Formats;
}

/** `gpt-5 @ eu (openai)`; of a provider, a source, a chain or all where it is about more. */
export function nameSubject(subject: RuleMatcher, { subject: words }: AlertWords): string {
  const { provider, model, endpoint, source, chain } = subject;
  const parts: string[] = [];
  if (model !== undefined) {
    const place = endpoint === undefined || endpoint === "" ? "" : ` @ ${endpoint}`;
    parts.push(`${model}${place}${provider === undefined ? "" : ` (${provider})`}`);
  } else if (provider !== undefined) parts.push(words.provider(provider));
  if (chain !== undefined) parts.push(words.chain(chain));
  if (source !== undefined) parts.push(words.source(source));
  return parts.length === 0 ? words.all : parts.join(", ");
}

type Measured = Pick<Alert, "of" | "outcomes">;

/** One value of what an alert measures, with its unit. */
export function formatValue(value: number, of: Alert["of"], formats: Formats): string {
  if (of === "amplification") return formats.rate(value);
  return of === "events" ? formats.duration(value * 60_000) : formats.share(value);
}

/** `15.2 % of attempts found no room`. */
export function sayValue(value: number, { of, outcomes }: Measured, { words, ...tongue }: Tongue): string {
  const { says } = words;
  const text = formatValue(value, of, tongue.formats);
  if (of === "attempts" || of === "requests")
    return says[of](text, sayOutcomes(outcomes, { words, ...tongue }));
  return says[of](text);
}

function sayOutcomes(outcomes: readonly string[], { words: { says }, outcomes: names }: Tongue): string {
  if (outcomes.length === 1 && outcomes[0] === "capacity") return says.noRoom;
  return says.ended(outcomes.map((outcome) => names[outcome as Outcome] ?? outcome).join(", "));
}

/** The counts, what is usual and the worst, as far as they are known and say something. */
export function listFigures(alert: Alert, { words: { says }, formats }: Tongue): string[] {
  const { of, k, n, value, usual, peak } = alert;
  const figures = of === "events" || n === 0 ? [] : [says.counts(formats.count(k), formats.count(n))];
  if (usual !== null) figures.push(says.usually(formatValue(usual, of, formats)));
  if (peak !== null && value !== null && peak > value)
    figures.push(says.peak(formatValue(peak, of, formats)));
  return figures;
}
