import type { TargetName } from "../advice/target-history.ts";
import type { ComponentTarget, StatusPageAnswer } from "../contract/status.ts";

interface Counted extends TargetName {
  readonly attempts: number;
}

const MOST = 30;

/**
 * A component for each model that no component stands for, most calls first; one that several providers serve is one.
 * Its name is the model's, without the folders that some providers put before it: the team chooses another.
 */
export function suggestComponents(
  counts: readonly Counted[],
  components: readonly { readonly targets: readonly ComponentTarget[] }[],
): StatusPageAnswer["suggestions"] {
  const taken = new Set(
    components.flatMap(({ targets }) => targets.map(({ provider, model }) => `${provider}\n${model}`)),
  );
  const models = new Map<string, { attempts: number; providers: Set<string> }>();
  for (const { provider, model, attempts } of counts) {
    if (taken.has(`${provider}\n${model}`)) continue;
    const known = models.get(model) ?? { attempts: 0, providers: new Set() };
    known.attempts += attempts;
    known.providers.add(provider);
    models.set(model, known);
  }
  return [...models]
    .sort(([a, one], [b, other]) => other.attempts - one.attempts || a.localeCompare(b))
    .slice(0, MOST)
    .map(([model, { providers }]) => ({
      name: model.split("/").at(-1) || model,
      targets: [...providers].sort().map((provider) => ({ provider, model, endpoint: null })),
    }));
}
