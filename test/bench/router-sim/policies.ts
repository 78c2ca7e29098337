import type { Policy, World } from "./simulate.ts";

/** Time that each attempt gets, as in most clients' examples. */
const TIMEOUT_S = 30;

const first = ({ models }: World) => models[0]?.id ?? "";

/** One attempt at the first model. */
export const none: Policy = (world) => async (request) => {
  const { kind } = await world.call(request, first(world), TIMEOUT_S);
  return kind === "ok" ? first(world) : null;
};

/** Up to five immediate retries at the first model. */
export const immediate: Policy = (world) => async (request) => {
  for (let i = 0; i <= 5; i++) {
    const { kind } = await world.call(request, first(world), TIMEOUT_S);
    if (kind === "ok") return first(world);
    if (world.nowS() >= request.deadlineS) return null;
  }
  return null;
};

/** 2^n s and up to a second more, five retries, 30 s of waiting, one model. */
export const backoff: Policy = (world) => async (request) => {
  let waitedS = 0;
  for (let i = 0; ; i++) {
    const { kind } = await world.call(request, first(world), TIMEOUT_S);
    if (kind === "ok") return first(world);
    if (i >= 5) return null;
    const waitS = 2 ** i + world.random();
    if (waitedS + waitS > 30 || world.nowS() + waitS >= request.deadlineS) return null;
    waitedS += waitS;
    await world.sleep(request, waitS);
  }
};

/** Down the list once. */
export const fallback: Policy = (world) => async (request) => {
  for (const { id } of world.models) {
    const { kind } = await world.call(request, id, TIMEOUT_S);
    if (kind === "ok") return id;
    if (world.nowS() >= request.deadlineS) return null;
  }
  return null;
};

/** Down the list, round and round, with backoff in between. */
export const fallbackBackoff: Policy = (world) => async (request) => {
  let waitedS = 0;
  for (let i = 0; ; i++) {
    const id = world.models[i % world.models.length]?.id ?? "";
    const { kind } = await world.call(request, id, TIMEOUT_S);
    if (kind === "ok") return id;
    if (i >= 5 || world.nowS() >= request.deadlineS) return null;
    const waitS = 2 ** i * 0.5 + world.random();
    if (waitedS + waitS > 30) return null;
    waitedS += waitS;
    await world.sleep(request, waitS);
  }
};

interface Deployment {
  coolUntilS: number;
  minute: number;
  ok: number;
  bad: number;
}

/**
 * The rules of LiteLLM's router as documented: groups of deployments shuffled by their limits, two retries within a
 * group, a cooldown of 5 s after a 429 or more than half failures in the minute, then the next group. A group of one is
 * practically never cooled down.
 */
export const litellm: Policy = (world) => {
  const limits = new Map(world.models.map(({ id, perMinute }) => [id, perMinute]));
  const groups = [["A1", "B1"], ["A2", "C1"], ["C2"]]
    .map((group) => group.filter((id) => limits.has(id)))
    .filter((group) => group.length > 0);
  const states = new Map<string, Deployment>();
  const stateOf = (id: string) => {
    let state = states.get(id);
    if (state === undefined) {
      state = { coolUntilS: -1, minute: -1, ok: 0, bad: 0 };
      states.set(id, state);
    }
    return state;
  };
  const count = (id: string, isOk: boolean, isRate: boolean, isAlone: boolean) => {
    const state = stateOf(id);
    const minute = Math.floor(world.nowS() / 60);
    if (state.minute !== minute) Object.assign(state, { minute, ok: 0, bad: 0 });
    if (isOk) state.ok++;
    else state.bad++;
    const isFailing = state.ok + state.bad >= 5 && state.bad / (state.ok + state.bad) > 0.5;
    if (!isOk && !isAlone && (isRate || isFailing)) state.coolUntilS = world.nowS() + 5;
  };
  const listUp = (group: readonly string[]) => group.filter((id) => stateOf(id).coolUntilS <= world.nowS());
  const shuffle = (up: readonly string[]) => {
    let rest = world.random() * up.reduce((sum, id) => sum + (limits.get(id) ?? 0), 0);
    for (const id of up) {
      rest -= limits.get(id) ?? 0;
      if (rest <= 0) return id;
    }
    return up[up.length - 1] ?? "";
  };
  return async (request) => {
    for (const group of groups) {
      for (let i = 0; i <= 2; i++) {
        const up = listUp(group);
        if (up.length === 0) break;
        const id = shuffle(up);
        const { kind, retryAfterS } = await world.call(request, id, TIMEOUT_S);
        count(id, kind === "ok", kind === "rate", group.length === 1);
        if (kind === "ok") return id;
        if (world.nowS() >= request.deadlineS) return null;
        if (i === 2 || (group.length > 1 && listUp(group).length > 0)) continue;
        const ownS = Math.min(8, 0.5 * 2 ** i) * (1 - 0.25 * world.random());
        await world.sleep(request, retryAfterS !== undefined && retryAfterS <= 60 ? retryAfterS : ownS);
      }
    }
    return null;
  };
};
