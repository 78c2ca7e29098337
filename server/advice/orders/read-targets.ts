import { invalidQuery } from "../../http/parse.ts";
import type { TargetName } from "../target-history.ts";

export interface TieredTarget extends TargetName {
  /** In the plan; `null` for one of no plan. */
  readonly id: string | null;
  /** 0 is the best. */
  readonly tier: number;
}

const MOST_TARGETS = 12;

/**
 * `acme/large,acme/large@eu>other/small`: best first, `>` before a lesser tier; names may be percent-encoded.
 *
 * @throws AppError 422 for what is none
 */
export function readTargets(text: string): TieredTarget[] {
  const targets = text
    .split(">")
    .flatMap((part, tier) => part.split(",").map((one) => ({ id: null, ...readTarget(one.trim()), tier })));
  const names = new Set(
    targets.map(({ provider, model, endpoint }) => [provider, model, endpoint].join("\n")),
  );
  if (names.size < targets.length) throw refuse("names a target twice");
  if (targets.length < 2 || targets.length > MOST_TARGETS)
    throw refuse(`must name from 2 to ${MOST_TARGETS} targets`);
  return targets;
}

function readTarget(text: string): TargetName {
  const [, provider = "", model = "", endpoint = ""] = /^([^/]+)\/([^@]+)(?:@(.+))?$/.exec(text) ?? [];
  if (model === "") throw refuse(`must be like provider/model or provider/model@endpoint, but has “${text}”`);
  try {
    const [decodedProvider, decodedModel, decodedEndpoint] = [provider, model, endpoint].map(
      decodeURIComponent,
    );
    return { provider: decodedProvider ?? "", model: decodedModel ?? "", endpoint: decodedEndpoint ?? "" };
  } catch {
    throw refuse(`has a % that begins no encoded character, in “${text}”: write it %25`);
  }
}

const refuse = (detail: string) => invalidQuery([{ pointer: "?targets", detail }]);
