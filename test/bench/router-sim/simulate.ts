import {
  afterPromises,
  createRandom,
  createVirtualTime,
  type VirtualTime,
} from "../../../sdk/src/router/virtual-time.ts";
import { withVirtualGlobals } from "./virtual-globals.ts";
import {
  DAY_S,
  DEADLINE_S,
  drawArrivals,
  MODELS,
  type Model,
  QueueServer,
  type Reply,
  type Server,
  SharedServer,
  TRAFFIC,
  type Traffic,
  WEATHER,
  type Weather,
} from "./world.ts";

export interface Scenario {
  readonly models?: readonly Model[];
  readonly fromS?: number;
  readonly horizonS?: number;
  readonly weather?: Partial<Weather>;
  readonly traffic?: Partial<Traffic>;
  /** Of each model a queue that is ours alone, slowed from and to these seconds. */
  readonly queue?: Readonly<
    Record<string, { readonly from: number; readonly to: number; readonly slowness: number }>
  >;
}

export interface Answer {
  readonly kind: Reply["kind"] | "timeout";
  readonly retryAfterS?: number;
}

/** One request, as a policy sees it. */
export interface Request {
  readonly id: number;
  readonly arrivedS: number;
  readonly deadlineS: number;
}

/** What a policy has of the world. Times in seconds. */
export interface World {
  readonly models: readonly Model[];
  readonly time: VirtualTime;
  readonly random: () => number;
  nowS(): number;
  sleep(request: Request, seconds: number): Promise<void>;
  /** Asks a model and waits at most so long; the model goes on working all the same. */
  call(request: Request, model: string, timeoutS: number): Promise<Answer>;
}

/** @returns id of the model that answered, or `null` */
export type Serve = (request: Request) => Promise<string | null>;
export type Policy = (world: World) => Serve;

/** What happened, to be measured. */
export interface Run {
  readonly models: readonly Model[];
  readonly servers: ReadonlyMap<string, Server>;
  readonly arrivals: readonly number[];
  readonly endedAt: Float64Array;
  readonly servedBy: readonly (string | null)[];
  readonly attempts: Uint16Array;
  /** Each attempt: when, at which model (by its place). */
  readonly calls: readonly (readonly [atS: number, model: number])[];
}

/** Runs one policy through one world; the same seed brings the same outages, requests and draws to all policies. */
export async function simulate(policy: Policy, seed: number, scenario: Scenario = {}): Promise<Run> {
  const { models = MODELS, fromS = 0, horizonS = DAY_S } = scenario;
  const epochMs = Date.UTC(2026, 7, 3) + fromS * 1_000;
  const time = createVirtualTime(seed * 92_821 + 5, epochMs, afterPromises);
  const weather = { ...WEATHER, ...scenario.weather };
  const servers = new Map<string, Server>(
    models.map((model) => [model.id, makeServer(model, seed, fromS, fromS + horizonS, weather, scenario)]),
  );
  const arrivals = drawArrivals(seed, fromS, fromS + horizonS, { ...TRAFFIC, ...scenario.traffic });
  const places = new Map(models.map(({ id }, place) => [id, place]));
  const endedAt = new Float64Array(arrivals.length).fill(Number.NaN);
  const servedBy: (string | null)[] = new Array(arrivals.length).fill(null);
  const attempts = new Uint16Array(arrivals.length);
  const calls: [number, number][] = [];
  const nowS = () => fromS + time.elapsed() / 1_000;

  function call(request: Request, id: string, timeoutS: number): Promise<Answer> {
    const server = servers.get(id);
    if (server === undefined) throw new Error(`no model ${id}`);
    const attempt = attempts[request.id] ?? 0;
    attempts[request.id] = attempt + 1;
    calls.push([nowS(), places.get(id) ?? -1]);
    const { kind, afterS, retryAfterS, slotS } = server.serve(nowS(), request.id, attempt);
    if (slotS !== undefined) {
      server.ours(1);
      time.setTimer(() => server.ours(-1), slotS * 1_000);
    }
    return new Promise((resolve) => {
      if (afterS > timeoutS) {
        if (timeoutS < 1e6) time.setTimer(() => resolve({ kind: "timeout" }), timeoutS * 1_000);
      } else {
        const answer = { kind, ...(retryAfterS === undefined ? {} : { retryAfterS }) };
        time.setTimer(() => resolve(answer), afterS * 1_000);
      }
    });
  }

  const sleep = (_: Request, seconds: number) => time.sleep(seconds * 1_000);
  const serve = policy({ models, time, random: createRandom(seed * 92_821 + 5), nowS, sleep, call });
  let next = 0;
  function arrive(): void {
    const arrivedS = arrivals[next];
    if (arrivedS === undefined) return;
    const request: Request = { id: next++, arrivedS, deadlineS: arrivedS + DEADLINE_S };
    void serve(request).then((model) => {
      endedAt[request.id] = nowS();
      servedBy[request.id] = model;
    });
    const following = arrivals[next];
    if (following !== undefined) time.at((following - fromS) * 1_000, arrive);
  }
  const first = arrivals[0];
  if (first !== undefined) time.at((first - fromS) * 1_000, arrive);
  await withVirtualGlobals(time, () => time.run((horizonS + 3_600) * 1_000));
  return { models, servers, arrivals, endedAt, servedBy, attempts, calls };
}

function makeServer(
  model: Model,
  seed: number,
  fromS: number,
  horizonS: number,
  weather: Weather,
  { queue }: Scenario,
): Server {
  if (queue === undefined) return new SharedServer(model, seed, fromS, horizonS, weather);
  const slow = queue[model.id];
  const spells = slow === undefined ? [] : [{ from: slow.from, to: slow.to, state: 2 as const }];
  return new QueueServer(model, seed, spells, slow?.slowness ?? 1);
}
