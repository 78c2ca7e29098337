import http from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { enqueueNotice } from "../../../server/channels/outbox.ts";
import {
  ADMIN_TOKEN,
  makeFolder,
  type Product,
  removeFolder,
  startProduct,
  withDatabase,
} from "../../bench/support/product.ts";
import { anAlert } from "../../support/notices.ts";

/** How Slack is when the server is killed: it takes nothing, or it takes a message and the answer never arrives. */
export type SlackState = "down" | "taking";

export interface OutboxKillRound {
  readonly round: number;
  readonly slack: SlackState;
  /** From the kill until the outbox was empty. */
  readonly drainedMs: number;
}

export interface OutboxKillReport {
  readonly rounds: readonly OutboxKillRound[];
  readonly notices: number;
  /** Notices that never stood in the channel. */
  readonly lost: number;
  /** Messages that stood there before another that came before them. */
  readonly outOfOrder: number;
  /** Repetitions that say that they may be one; a kill after Slack took a message makes one at the most. */
  readonly marked: number;
  /** Repetitions that do not. */
  readonly doubled: number;
}

const NOTICES_PER_ROUND = 5;
/** What a kill amid a try costs, and a slow machine. */
const DRAINED_WITHIN_MS = 150_000;
const MAX_MORE_MS = 30;

interface Slack {
  readonly port: number;
  /** Texts of what stands in the channel. */
  readonly shown: { readonly text: string; readonly isMarked: boolean }[];
  state: "up" | SlackState;
  /** Resolves at the next request. */
  asked(): Promise<void>;
  close(): void;
}

async function startSlack(): Promise<Slack> {
  let onAsked = () => {};
  const server = http.createServer((req, res) => {
    let body = "";
    req.on("data", (part: Buffer) => {
      body += part;
    });
    req.on("end", () => {
      if (slack.state !== "down") {
        const isMarked = body.includes("may be a repetition");
        slack.shown.push({ text: String(JSON.parse(body).text), isMarked });
      }
      // In the other states no answer comes: the server is going to be killed while it waits.
      if (slack.state === "up") res.end("ok");
      onAsked();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const slack: Slack = {
    port: (server.address() as AddressInfo).port,
    shown: [],
    state: "up",
    asked: () =>
      new Promise((resolve) => {
        onAsked = resolve;
      }),
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return slack;
}

/** Kills the server over and over while it sends, starts it again each time, and counts what Slack shows at the end. */
export async function runOutboxKillRounds(
  count: number,
  onRound: (round: OutboxKillRound) => void = () => {},
): Promise<OutboxKillReport> {
  process.env["BUSYHOUR_OUTGOING_ALLOW"] = "127.0.0.1";
  const dataDir = makeFolder("outbox");
  const slack = await startSlack();
  let product = await startProduct(dataDir);
  const rounds: OutboxKillRound[] = [];
  let notices = 0;
  try {
    await addChannel(product, `http://127.0.0.1:${slack.port}/hook`);
    for (let round = 1; round <= count; round++) {
      slack.state = round % 2 === 1 ? "down" : "taking";
      const { state } = slack;
      const asked = slack.asked();
      await withDatabase(dataDir, async (sql) => {
        for (let i = 0; i < NOTICES_PER_ROUND; i++) {
          const name = `n${notices++}`;
          const notice = anAlert({ subject: { model: name }, dedupeKey: name, at: new Date().toISOString() });
          await sql.begin((tx) =>
            enqueueNotice(tx, { projectId: 1, notice, channels: null, nowMs: Date.now() }),
          );
        }
      });
      await asked;
      await sleep(Math.random() * MAX_MORE_MS);
      await product.kill();
      const killedAtMs = performance.now();
      slack.state = "up";
      product = await startProduct(dataDir);
      await waitUntilDrained(dataDir);
      const result = { round, slack: state as SlackState, drainedMs: performance.now() - killedAtMs };
      rounds.push(result);
      onRound(result);
    }
    return { rounds, notices, ...judge(slack.shown, notices) };
  } finally {
    await product.stop();
    slack.close();
    removeFolder(dataDir);
  }
}

async function addChannel({ url }: Product, address: string): Promise<void> {
  const response = await fetch(`${url}/api/channels`, {
    method: "POST",
    headers: { authorization: `Bearer ${ADMIN_TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify({ address, kind: "slack" }),
  });
  if (!response.ok) throw new Error(`the channel was not taken: ${await response.text()}`);
}

async function waitUntilDrained(dataDir: string): Promise<void> {
  await withDatabase(dataDir, async (sql) => {
    for (const deadline = Date.now() + DRAINED_WITHIN_MS; Date.now() < deadline; await sleep(200)) {
      if ((await sql`select from notification where state = 'waiting' limit 1`).length === 0) return;
    }
    throw new Error("the outbox did not become empty");
  });
}

function judge(shown: Slack["shown"], notices: number) {
  const numbers = shown.map(({ text }) => Number(/n(\d+):/.exec(text)?.[1]));
  const seen = new Set<number>();
  let [outOfOrder, marked, doubled, highest] = [0, 0, 0, -1];
  numbers.forEach((number, i) => {
    if (seen.has(number)) {
      if (shown[i]?.isMarked === true) marked++;
      else doubled++;
    } else if (number < highest) outOfOrder++;
    seen.add(number);
    highest = Math.max(highest, number);
  });
  return { lost: notices - seen.size, outOfOrder, marked, doubled };
}
