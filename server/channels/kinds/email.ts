import { createHash } from "node:crypto";
import { createTransport } from "nodemailer";
import { OutgoingError } from "../../outgoing/outgoing-error.ts";
import { cut, toLine } from "../cut.ts";
import type { Message } from "../message.ts";
import { renderHtml, renderText } from "./email-body.ts";
import { judgeFailure } from "./http.ts";
import {
  type ChannelConfig,
  DAY_MS,
  type Envelope,
  type Kind,
  type Net,
  type TryResult,
  type Verdict,
} from "./kind.ts";

const SCHEMES = ["smtp:", "smtps:"];
const FAULT =
  "must be an SMTP server like smtps://user:password@mail.example.com:465, or smtp:// with STARTTLS at 587; signs like @ and : in the password as %40 and %3A";

export interface SmtpServer {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else it is begun in the conversation. */
  readonly isSecure: boolean;
  readonly user: string | null;
  readonly password: string;
}

/** @returns `null` when it is none */
export function readSmtpServer(address: string): SmtpServer | null {
  if (!URL.canParse(address)) return null;
  const url = new URL(address);
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  if (!SCHEMES.includes(url.protocol) || host === "" || !/^\/?$/.test(url.pathname) || url.search !== "")
    return null;
  try {
    const port = url.port === "" ? (url.protocol === "smtps:" ? 465 : 587) : Number(url.port);
    return {
      host,
      port,
      isSecure: url.protocol === "smtps:" || port === 465,
      user: url.username === "" ? null : decodeURIComponent(url.username),
      password: decodeURIComponent(url.password),
    };
  } catch {
    return null;
  }
}

const MOST_SUBJECT = 200;
const DOMAIN = "busyhour.invalid";

/** Mails of one alert stand together. */
const threadOf = ({ notice }: Envelope) =>
  notice.kind === "alert"
    ? `<${createHash("sha256").update(notice.dedupeKey).digest("hex").slice(0, 32)}@${DOMAIN}>`
    : null;

function toMail(envelope: Envelope, { to, from }: ChannelConfig, server: SmtpServer) {
  const { message, messageId, notice } = envelope;
  const thread = threadOf(envelope);
  return {
    from: from ?? server.user ?? "",
    to: [...to],
    subject: cut(toLine(`[${notice.project.name}] ${message.title}`), MOST_SUBJECT),
    text: renderText(message),
    html: renderHtml(message),
    // The same at each try: mail servers and readers drop a repetition by it.
    messageId: `<${messageId}@${DOMAIN}>`,
    ...(thread === null ? {} : { references: thread, inReplyTo: thread }),
    headers: {
      "auto-submitted": "auto-generated",
      ...(importanceOf(message) === null ? {} : { importance: importanceOf(message) ?? "" }),
    },
    // Texts of others: nothing of them is a file or an address to fetch from.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const importanceOf = ({ severity, event }: Message) =>
  severity === "critical" && event === "firing" ? "high" : null;

interface SmtpError extends Error {
  readonly code?: string;
  readonly originalCode?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** Connections that did not stand: nothing can have arrived. */
const NEVER_STOOD = /^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/;
const OF_TLS = /CERT|TLS|SSL|UNABLE_TO_|SELF_SIGNED|HOSTNAME|^EPROTO$/;

/** RFC 5321, section 4.2.1: 4xx may be tried again, 5xx not. */
function judgeSmtp({ code = "", originalCode = "", command = "", responseCode }: SmtpError): Verdict {
  if (code === "ETLS" || OF_TLS.test(originalCode)) return { is: "retry", why: "tls", afterMs: null };
  if (responseCode !== undefined && responseCode >= 500) {
    if (code === "EAUTH") return { is: "failed", why: "not_allowed" };
    return { is: "failed", why: /RCPT/.test(command) ? "address_unknown" : "message_refused" };
  }
  if (responseCode !== undefined) return { is: "retry", why: "receiver_error", afterMs: null };
  if (code === "EAUTH") return { is: "failed", why: "not_allowed" };
  if (code === "EENVELOPE") return { is: "failed", why: "message_refused" };
  if (code === "ETIMEDOUT") return { is: "retry", why: "timeout", afterMs: null, isUncertain: true };
  return { is: "retry", why: "unreachable", afterMs: null, isUncertain: !NEVER_STOOD.test(originalCode) };
}

async function send(
  envelope: Envelope,
  config: ChannelConfig,
  server: SmtpServer,
  net: Net,
): Promise<TryResult> {
  const { host, port, isSecure, user, password } = server;
  const [address = ""] = await net.lookUp(host);
  const { timeoutMs } = net;
  const transport = createTransport({
    // What was looked up and checked, and not the name once more.
    host: address,
    servername: host,
    port,
    secure: isSecure,
    requireTLS: !isSecure && !net.mayBePlain(host),
    ...(user === null ? {} : { auth: { user, pass: password } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    socketCloseTimeout: 0,
    maxResponseSize: 65_536,
    tls: { servername: host },
  });
  let impatience: NodeJS.Timeout | undefined;
  const mail = toMail(envelope, config, server);
  const requestBytes = Buffer.byteLength(mail.text) + Buffer.byteLength(mail.html);
  try {
    const late = new Promise<never>((_, reject) => {
      impatience = setTimeout(
        () => reject(Object.assign(new Error("no answer in time"), { code: "ETIMEDOUT" })),
        timeoutMs,
      );
    });
    const { response } = await Promise.race([transport.sendMail(mail), late]);
    const status = Number(/^\d{3}/.exec(response)?.[0] ?? 250);
    return { verdict: { is: "delivered" }, status, answer: response, requestBytes };
  } catch (error) {
    const failure = error as SmtpError;
    return {
      verdict: judgeSmtp(failure),
      status: failure.responseCode ?? null,
      answer: failure.response ?? failure.message,
      requestBytes,
    };
  } finally {
    clearTimeout(impatience);
    transport.close();
  }
}

/** Any SMTP server, with TLS: without it only hosts of BUSYHOUR_OUTGOING_ALLOW are spoken to. */
export const email: Kind = {
  kind: "email",
  label: "E-mail",
  needs: ["to"],
  takes: ["from"],
  limit: { burst: 10, perMinute: 20 },
  isDigested: true,
  giveUpMs: DAY_MS,
  firstPauseMs: 15_000,
  recognises: (url) => SCHEMES.includes(url.protocol),
  readAddress: (text) => (readSmtpServer(text) === null ? { fault: FAULT } : { address: text }),
  mask(address) {
    const server = readSmtpServer(address);
    return server === null ? "…" : `${server.host}:${server.port}`;
  },
  async deliver(envelope, config, net) {
    const server = readSmtpServer(config.address);
    if (server === null) throw new Error("the stored address is no SMTP server");
    try {
      return await send(envelope, config, server, net);
    } catch (error) {
      if (!(error instanceof OutgoingError)) throw error;
      return { verdict: judgeFailure(error), status: null, answer: error.message, requestBytes: 0 };
    }
  },
};
