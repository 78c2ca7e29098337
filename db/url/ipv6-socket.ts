import net from "node:net";

const CONNECT_WITHIN_MS = 10_000;

/** A connected socket to an IPv6 address. */
export function connectByIpv6(host: string, port: number): Promise<net.Socket> {
  return new Promise((resolve, reject) => {
    const socket = net.connect({ host, port, family: 6 });
    const late = () =>
      socket.destroy(Object.assign(new Error(`no answer from [${host}]:${port}`), { code: "ETIMEDOUT" }));
    socket.setTimeout(CONNECT_WITHIN_MS, late);
    socket.once("error", reject);
    socket.once("connect", () => {
      socket.setTimeout(0);
      socket.removeListener("timeout", late);
      socket.removeListener("error", reject);
      resolve(socket);
    });
  });
}
