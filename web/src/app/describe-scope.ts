import type { Scope, Target } from "./scope.ts";

/** `gemini-2.5-pro at us-central1`, in the order that reads in every language: name first. */
export function nameTarget({ model, endpoint }: Target): string {
  return endpoint === null || endpoint === "" ? model : `${model} @ ${endpoint}`;
}

/** The shortest names that tell targets apart: a model's endpoint only where another one has the same model. */
export function nameApart(targets: readonly Target[]): string[] {
  return targets.map((target) => {
    const isAlone = targets.filter(({ model }) => model === target.model).length === 1;
    if (isAlone) return target.model;
    const isNamed = targets.filter((other) => nameTarget(other) === nameTarget(target)).length === 1;
    return isNamed ? nameTarget(target) : `${nameTarget(target)} (${target.provider})`;
  });
}

export const isSameTarget = (a: Target | null, b: Target | null) =>
  a === b ||
  (a !== null && b !== null && a.provider === b.provider && a.model === b.model && a.endpoint === b.endpoint);

/** Whether it is the target, or one of its endpoints where that names none. */
export const isWithin = (one: Target, { provider, model, endpoint }: Target) =>
  one.provider === provider && one.model === model && (endpoint === null || one.endpoint === endpoint);

/** What a table or a CSV shows: project, zone, range and filters. */
export function describeContext(
  project: string,
  zone: string,
  range: { readonly from: string; readonly to: string },
  scope: Pick<Scope, "target" | "count">,
): string[] {
  const { target, count } = scope;
  return [
    `project=${project}`,
    `zone=${zone}`,
    `from=${range.from}`,
    `to=${range.to}`,
    `count=${count}`,
    ...(target === null ? [] : [`provider=${target.provider}`, `model=${target.model}`]),
    ...(target === null || target.endpoint === null ? [] : [`endpoint=${target.endpoint}`]),
  ];
}
