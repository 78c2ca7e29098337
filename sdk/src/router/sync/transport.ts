import { REPORTER_HEADER, unwrapFetch } from "../../report/own-request.ts";

export interface SyncRequest {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal;
}

export interface SyncAnswer {
  readonly status: number;
  readonly etag: string | null;
  readonly retryAfter: string | null;
  readonly body: string;
}

/** How a router talks to its server. */
export interface Transport {
  /** @throws whatever kept an answer from coming */
  send(request: SyncRequest): Promise<SyncAnswer>;
  /** Whether a request may be left open until there is news: one that keeps its process alive must not be. */
  readonly mayWait: boolean;
}

/** A plan is some kilobytes; what is more than this is none. */
const MAX_ANSWER_LENGTH = 4_194_304;

/** The best there is in this runtime, or the caller's own `fetch`. */
export function createTransport(fetch: typeof globalThis.fetch | undefined): Transport {
  if (fetch !== undefined) return fetchTransport(() => fetch, true);
  const node = findNode();
  if (node === null) return fetchTransport(() => globalThis.fetch, true);
  return node.http === null ? fetchTransport(() => globalThis.fetch, false) : nodeTransport(node.http);
}

function fetchTransport(find: () => typeof globalThis.fetch, mayWait: boolean): Transport {
  return {
    mayWait,
    async send({ url, headers, ...init }) {
      const response = await unwrapFetch(find())(url, {
        ...init,
        headers: { ...headers, [REPORTER_HEADER]: "1" },
        redirect: "manual",
        cache: "no-store",
      });
      return {
        status: response.status,
        etag: response.headers.get("etag"),
        retryAfter: response.headers.get("retry-after"),
        body: await response.text(),
      };
    },
  };
}

/** The parts of `node:http` that are used: this package imports nothing, so that it runs where there is no Node. */
interface NodeHttp {
  readonly Agent: new (options: { keepAlive: boolean }) => object;
  request(url: string, options: object, onAnswer: (answer: NodeAnswer) => void): NodeRequest;
}

interface NodeRequest {
  on(event: "socket", listener: (socket: { unref?(): void }) => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  end(body?: string): void;
}

interface NodeAnswer {
  readonly statusCode?: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  setEncoding(encoding: "utf8"): void;
  on(event: "data", listener: (piece: string) => void): void;
  on(event: "end" | "aborted", listener: () => void): void;
  on(event: "error", listener: (error: Error) => void): void;
  destroy(): void;
}

interface NodeModules {
  readonly http: NodeHttp;
  readonly https: NodeHttp;
}

/** @returns `null` where this is no Node; `http` is `null` in versions that give their modules to nobody who imports nothing */
function findNode(): { readonly http: NodeModules | null } | null {
  const { process, navigator } = globalThis as {
    process?: { versions?: { node?: string }; getBuiltinModule?: (name: string) => unknown };
    navigator?: { userAgent?: string };
  };
  // Others call themselves Node for compatibility, but say who they are here.
  const isNode =
    typeof process?.versions?.node === "string" && /^Node\.js|^undefined$/.test(String(navigator?.userAgent));
  if (!isNode) return null;
  const find = (name: string) => process.getBuiltinModule?.(name) as NodeHttp | undefined;
  const [http, https] = [find("node:http"), find("node:https")];
  return { http: http === undefined || https === undefined ? null : { http, https } };
}

/** Unlike `fetch`, whose open requests keep a process alive, this one lets it end while it waits for news. */
function nodeTransport(modules: NodeModules): Transport {
  const agents = new Map<NodeHttp, object>();
  return {
    mayWait: true,
    send: ({ url, body, ...options }) =>
      new Promise((resolve, reject) => {
        const module = url.startsWith("https:") ? modules.https : modules.http;
        const agent = agents.get(module) ?? new module.Agent({ keepAlive: true });
        agents.set(module, agent);
        const request = module.request(url, { ...options, agent }, (answer) => {
          const { etag, "retry-after": retryAfter } = answer.headers;
          let text = "";
          answer.setEncoding("utf8");
          answer.on("data", (piece) => {
            text += piece;
            if (text.length <= MAX_ANSWER_LENGTH) return;
            reject(new Error("the answer is too long"));
            answer.destroy();
          });
          answer.on("error", reject);
          answer.on("aborted", () => reject(new Error("the answer broke off")));
          answer.on("end", () =>
            resolve({
              status: answer.statusCode ?? 0,
              etag: etag ?? null,
              retryAfter: retryAfter ?? null,
              body: text,
            }),
          );
        });
        request.on("socket", (socket) => socket.unref?.());
        request.on("error", reject);
        request.end(body);
      }),
  };
}
