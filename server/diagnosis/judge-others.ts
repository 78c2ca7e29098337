import type { TargetName } from "../advice/target-history.ts";
import { judgeShare } from "../capacity/judge-now.ts";
import type { Cell } from "../contract/share.ts";
import type { ElsewhereFinding, ScopeFinding } from "./finding.ts";

export interface TargetState extends TargetName {
  readonly capacity: Cell;
  readonly usual: Cell;
  readonly isAsked: boolean;
}

/**
 * How far it reached. Everything: each of at least two providers; a provider: two of its models and half of those
 * called; the model: all its endpoints; else the endpoint.
 */
export function judgeScope(all: readonly TargetState[]): ScopeFinding {
  const targets = all
    .filter(({ capacity }) => capacity.state === "enough")
    .map((target) => ({ ...target, isShort: judgeShare(target.capacity) === "short" }))
    .sort((a, b) => (b.capacity.rate ?? 0) - (a.capacity.rate ?? 0));
  return { step: "scope", verdict: scopeOf(targets), targets };
}

function scopeOf(targets: ScopeFinding["targets"]): ScopeFinding["verdict"] {
  const asked = targets.filter(({ isAsked }) => isAsked);
  if (!asked.some(({ isShort }) => isShort)) return targets.length === 0 ? "unknown" : "nothing";
  const providers = new Set(targets.map(({ provider }) => provider));
  const isWide = (provider: string) => {
    const own = targets.filter((target) => target.provider === provider);
    const models = new Set(own.map(({ model }) => model));
    const short = new Set(own.filter(({ isShort }) => isShort).map(({ model }) => model));
    return { whole: short.size * 2 >= models.size, short: short.size };
  };
  if (providers.size >= 2 && [...providers].every((provider) => isWide(provider).whole)) return "everything";
  const askedProviders = new Set(asked.map(({ provider }) => provider));
  for (const provider of askedProviders) {
    const { whole, short } = isWide(provider);
    if (whole && short >= 2) return "provider";
  }
  const ofModel = targets.filter(({ provider, model }) =>
    asked.some((other) => other.provider === provider && other.model === model),
  );
  if (ofModel.some(({ isShort }) => !isShort)) return "endpoint";
  return targets.length > asked.length || asked.length > 1 ? "model" : "unknown";
}

/** The short targets that a verdict is about: of the endpoint, the model or the provider that was asked for, or all. */
export function reachedBy(
  verdict: ScopeFinding["verdict"],
  targets: ScopeFinding["targets"],
): ScopeFinding["targets"] {
  const asked = targets.filter(({ isAsked }) => isAsked);
  return targets.filter(({ isShort, isAsked, provider, model }) => {
    if (!isShort) return false;
    if (verdict === "provider") return asked.some((one) => one.provider === provider);
    if (verdict === "model") return asked.some((one) => one.provider === provider && one.model === model);
    return verdict === "endpoint" ? isAsked : true;
  });
}

/** One hour of the same target, near the range. */
export interface NearHour {
  readonly fromMs: number;
  readonly toMs: number;
  readonly capacity: Cell;
}

/**
 * What would have worked at the time: another target, another hour.
 *
 * @param hours of the day around the range, without the range itself
 */
export function judgeElsewhere(
  asked: Cell,
  others: readonly TargetState[],
  hours: readonly NearHour[],
  range: { readonly fromMs: number; readonly toMs: number },
  window: ElsewhereFinding["window"],
): ElsewhereFinding {
  const byRoom = others
    .filter((target) => !target.isAsked && hasMoreRoom(target.capacity, asked))
    .sort((a, b) => (a.capacity.rate ?? 1) - (b.capacity.rate ?? 1) || b.capacity.n - a.capacity.n);
  const away = (hour: NearHour) => Math.max(range.fromMs - hour.toMs, hour.fromMs - range.toMs);
  const nearest = hours
    .filter((hour) => away(hour) >= 0 && hasMoreRoom(hour.capacity, asked))
    .sort((a, b) => away(a) - away(b))[0];
  const best = byRoom[0];
  return {
    step: "elsewhere",
    verdict: best ? (nearest ? "both" : "model") : nearest ? "hour" : "neither",
    model:
      best === undefined
        ? null
        : { provider: best.provider, model: best.model, endpoint: best.endpoint, capacity: best.capacity },
    hour:
      nearest === undefined
        ? null
        : {
            from: new Date(nearest.fromMs).toISOString(),
            to: new Date(nearest.toMs).toISOString(),
            capacity: nearest.capacity,
          },
    window,
  };
}

/** Half the share or less, and less even by the upper end of its interval. */
function hasMoreRoom(other: Cell, asked: Cell): boolean {
  if (other.state !== "enough" || other.rate === null || asked.rate === null) return false;
  return other.rate <= asked.rate / 2 && (other.high ?? 1) < asked.rate;
}
