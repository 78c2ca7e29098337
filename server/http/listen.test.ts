import net from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { assertFree, describeListenFailure } from "./listen.ts";
import { listListeningInodes } from "./port-holder.ts";

const opened: net.Server[] = [];
afterEach(() => {
  for (const server of opened.splice(0)) server.close();
});

function takePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = net.createServer().listen(0, "127.0.0.1", () => {
      opened.push(server);
      resolve((server.address() as net.AddressInfo).port);
    });
  });
}

describe("assertFree", () => {
  it("names the process that has the port, and leaves a free one free", async () => {
    const port = await takePort();
    await expect(assertFree({ port, host: "127.0.0.1" })).rejects.toThrow(
      `PORT: ${port} of 127.0.0.1 is in use by process ${process.pid} (`,
    );
    await assertFree({ port: 0, host: "127.0.0.1" });
  });
});

describe("describeListenFailure", () => {
  const place = { port: 8420, host: "127.0.0.1" };

  it.each([
    [
      "EADDRINUSE",
      { pid: 17, name: "nginx" },
      "PORT: 8420 of 127.0.0.1 is in use by process 17 (nginx): stop that one, or choose another port, as in PORT=8421",
    ],
    [
      "EADDRINUSE",
      null,
      "PORT: 8420 of 127.0.0.1 is in use by another process: stop that one, or choose another port, as in PORT=8421",
    ],
    ["EADDRNOTAVAIL", null, /^HOST: 127\.0\.0\.1 is no address of this machine/],
    ["ENOTFOUND", null, /^HOST: there is no machine called 127\.0\.0\.1/],
    ["EACCES", null, /choose one above 1023/],
    ["EWHATEVER", null, "HOST, PORT: cannot listen on 127.0.0.1:8420 (EWHATEVER)"],
  ])("has words for %s", (code, holder, words) => {
    expect(describeListenFailure(code, place, holder)).toMatch(words);
  });
});

describe("listListeningInodes", () => {
  const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:20E4 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 111 1 0 100 0 0 10 0
   1: 0100007F:20E4 0100007F:9C40 01 00000000:00000000 00:00000000 00000000     0        0 222 1 0 20 4 30 10 -1
   2: 00000000:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 333 1 0 100 0 0 10 0
`;

  it("takes listening sockets of the port alone", () => {
    expect(listListeningInodes(TABLE, 8420)).toEqual(["111"]);
    expect(listListeningInodes(TABLE, 80)).toEqual(["333"]);
    expect(listListeningInodes("", 80)).toEqual([]);
  });
});
