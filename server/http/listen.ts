import net from "node:net";
import { SettingsError } from "../env.ts";
import { findPortHolder, type PortHolder } from "./port-holder.ts";

export interface Place {
  readonly port: number;
  readonly host: string;
}

/** Listens there. @throws SettingsError that says who else does, or what is wrong with the place */
export function listen(server: net.Server, { port, host }: Place): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = async ({ code }: NodeJS.ErrnoException) => {
      const holder = code === "EADDRINUSE" ? await findPortHolder(port) : null;
      reject(new SettingsError([describeListenFailure(code, { port, host }, holder)]));
    };
    server.once("error", fail);
    server.listen(port, host, () => {
      server.off("error", fail);
      resolve();
    });
  });
}

/** Tries a place and leaves it again, before long work that would be in vain. @throws SettingsError like `listen` */
export async function assertFree(place: Place): Promise<void> {
  const probe = net.createServer();
  await listen(probe, place);
  await new Promise((resolve) => probe.close(resolve));
}

export function describeListenFailure(
  code: string | undefined,
  { port, host }: Place,
  holder: PortHolder | null,
): string {
  switch (code) {
    case "EADDRINUSE": {
      const who = holder === null ? "another process" : `process ${holder.pid} (${holder.name})`;
      return `PORT: ${port} of ${host} is in use by ${who}: stop that one, or choose another port, as in PORT=${suggestPort(port)}`;
    }
    case "EACCES":
      return `PORT: ${port} is not allowed for this user: choose one above 1023, as in PORT=8420`;
    case "EADDRNOTAVAIL":
      return `HOST: ${host} is no address of this machine: choose one of its own, 0.0.0.0 for all, or 127.0.0.1`;
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `HOST: there is no machine called ${host}: choose an address of this one, such as 127.0.0.1`;
    default:
      return `HOST, PORT: cannot listen on ${host}:${port} (${code})`;
  }
}

function suggestPort(port: number): number {
  return port < 65_535 ? port + 1 : 8420;
}
