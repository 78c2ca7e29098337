import { once } from "node:events";
import net from "node:net";
import { SMTPServer, type SMTPServerOptions } from "smtp-server";
import { afterAll, describe, expect, it } from "vitest";
import type { ChannelConfig } from "../../server/channels/kinds/kind.ts";
import { kindOf } from "../../server/channels/kinds/kinds.ts";
import { composeMessage } from "../../server/channels/message.ts";
import { createNet } from "../../server/channels/net.ts";
import type { Notice } from "../../server/contract/notice.ts";
import { parseAllowList } from "../../server/outgoing/allow-list.ts";
import { anAlert, aText } from "../support/notices.ts";

/** The first is named by whoever runs the server; the second is allowed by its network alone. */
const allow = parseAllowList("mail.test, 127.0.0.0/8");
if ("fault" in allow) throw new Error(allow.fault);
const HOSTS: Readonly<Record<string, string>> = {
  "mail.test": "127.0.0.1",
  "unnamed.test": "127.0.0.1",
  "inside.test": "10.0.0.8",
  "cloud.test": "169.254.169.254",
};
const way = { ...createNet(allow, { resolve: async (host) => [HOSTS[host] ?? host] }), timeoutMs: 1_000 };
const NOW = Date.parse("2026-11-29T12:00:30Z");

interface Mail {
  readonly from: string;
  readonly to: readonly string[];
  readonly user: unknown;
  readonly text: string;
}

/** A real SMTP server: takes mail for anybody from whoever knows the password. */
async function startMailServer(options: SMTPServerOptions = {}): Promise<{ port: number; mails: Mail[] }> {
  const mails: Mail[] = [];
  const server = new SMTPServer({
    disabledCommands: ["STARTTLS"],
    allowInsecureAuth: true,
    onAuth({ username, password }, _, done) {
      if (username === "ops@shop.test" && password === "p@ss:word") done(null, { user: username });
      else done(Object.assign(new Error("Authentication failed"), { responseCode: 535 }));
    },
    onData(stream, session, done) {
      const parts: Buffer[] = [];
      stream.on("data", (part: Buffer) => parts.push(part));
      stream.on("end", () => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          user: session.user,
          text: Buffer.concat(parts).toString(),
        });
        done(null, "queued as 42");
      });
    },
    ...options,
  });
  server.on("error", () => {});
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  afterAll(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { port: (server.server.address() as net.AddressInfo).port, mails };
}

const toAddress = (
  port: number,
  { host = "mail.test", scheme = "smtp", user = "ops%40shop.test:p%40ss%3Aword" } = {},
) => `${scheme}://${user}@${host}:${port}`;

function deliver(address: string, parts: Partial<ChannelConfig> = {}, notice: Notice = anAlert()) {
  const message = composeMessage(notice, {
    locale: "en",
    zone: "UTC",
    publicUrl: "https://busyhour.test",
    nowMs: NOW,
    mayRepeat: false,
  });
  return kindOf("email").deliver(
    { notice, message, messageId: "id-1", publicUrl: "https://busyhour.test", nowMs: NOW },
    {
      name: "mail",
      address,
      signingSecrets: [],
      authorization: null,
      keyword: null,
      to: ["ada@shop.test", "bob@shop.test"],
      from: "Busyhour <alerts@shop.test>",
      ...parts,
    },
    way,
  );
}

describe("an e-mail", () => {
  it("comes to everybody, with all facts, and the same id at each try", async () => {
    const { port, mails } = await startMailServer();
    const first = await deliver(toAddress(port));
    expect(first).toMatchObject({
      verdict: { is: "delivered" },
      status: 250,
      answer: expect.stringContaining("queued as 42"),
    });
    await deliver(toAddress(port));
    const [mail, again] = mails;
    expect(mail).toMatchObject({
      from: "alerts@shop.test",
      to: ["ada@shop.test", "bob@shop.test"],
      user: "ops@shop.test",
    });
    const unfolded = mail?.text.replaceAll(/=\r\n/g, "") ?? "";
    expect(unfolded).toContain("From: Busyhour <alerts@shop.test>");
    expect(unfolded).toMatch(/Subject: \[Shop\] claude-sonnet-4-5: no room at the provider for 12\.3 %/);
    expect(unfolded).toContain("Auto-Submitted: auto-generated");
    expect(unfolded).toContain("Importance: high");
    for (const fact of [
      "37 of 301 attempts",
      "Usual at this hour",
      "claude-haiku-4-5, gpt-5-mini",
      "Far above usual",
    ])
      expect(unfolded).toContain(fact);
    const idOf = (text = "") => /^Message-ID: (.*)$/im.exec(text)?.[1];
    expect(idOf(mail?.text)).toBe("<id-1@busyhour.invalid>");
    expect(idOf(again?.text)).toBe(idOf(mail?.text));
  });

  it("of an alert stands with its others, one of another alert elsewhere", async () => {
    const { port, mails } = await startMailServer();
    await deliver(toAddress(port));
    await deliver(toAddress(port), {}, anAlert({ event: "resolved", endedAt: "2026-11-29T12:00:00.000Z" }));
    await deliver(toAddress(port), {}, anAlert({ dedupeKey: "another" }));
    await deliver(toAddress(port), {}, aText());
    const threads = mails.map(({ text }) => /^References: (.*)$/im.exec(text)?.[1]);
    expect(threads[0]).toMatch(/^<[0-9a-f]{32}@busyhour\.invalid>$/);
    expect(threads[1]).toBe(threads[0]);
    expect(threads[2]).not.toBe(threads[0]);
    expect(threads[3]).toBeUndefined();
  });

  it("is no place for what others write into it: no header, no tag, no picture", async () => {
    const { port, mails } = await startMailServer();
    const model = "x\r\nBcc: eve@evil.test\r\n\r\n<img src=https://evil.test/p.png>";
    await deliver(toAddress(port), {}, anAlert({ subject: { model } }));
    const [mail] = mails;
    expect(mail?.to).toEqual(["ada@shop.test", "bob@shop.test"]);
    expect(mail?.text).not.toMatch(/^Bcc:/im);
    const [, html = ""] = mail?.text.split("text/html") ?? [];
    expect(html).not.toContain("<img");
    expect(html).toContain("&lt;img");
  });
});

describe("a mail server", () => {
  it("that refuses the password, a recipient or the mail is not asked again", async () => {
    const refusing = (code: number) => (_: unknown, __: unknown, done: (error: Error) => void) =>
      done(Object.assign(new Error(`no, ${code}`), { responseCode: code }));
    const open = await startMailServer();
    const wrong = await deliver(toAddress(open.port, { user: "ops%40shop.test:wrong" }));
    expect(wrong).toMatchObject({ verdict: { is: "failed", why: "not_allowed" }, status: 535 });
    const picky = await startMailServer({ onRcptTo: refusing(550) });
    const unknown = await deliver(toAddress(picky.port));
    expect(unknown).toMatchObject({ verdict: { is: "failed", why: "address_unknown" }, status: 550 });
    const full = await startMailServer({ onRcptTo: refusing(452) });
    const later = await deliver(toAddress(full.port));
    expect(later).toMatchObject({ verdict: { is: "retry", why: "receiver_error" }, status: 452 });
    expect(later.answer).toContain("no, 452");
  });

  it("that is silent, or not there, is asked again; one that took the mail may have it", async () => {
    const silent = net.createServer(() => {});
    silent.listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as net.AddressInfo;
    const late = await deliver(toAddress(port));
    expect([late.verdict, late.answer]).toEqual([
      expect.objectContaining({ is: "retry", why: "timeout" }),
      expect.any(String),
    ]);
    silent.close();
    const away = await deliver(toAddress(1));
    expect(away.verdict).toEqual({ is: "retry", why: "unreachable", afterMs: null, isUncertain: false });
    const breaking = await startMailServer({
      onData: (stream) => {
        stream.on("data", () => {});
        stream.on("end", () => {
          for (const socket of breakers) socket.destroy();
        });
      },
    });
    const breakers: net.Socket[] = [];
    const relay = net.createServer((socket) => {
      const inner = net.connect(breaking.port, "127.0.0.1");
      breakers.push(socket);
      socket.on("error", () => {});
      inner.on("error", () => {});
      socket.pipe(inner).pipe(socket);
    });
    relay.listen(0, "127.0.0.1");
    await once(relay, "listening");
    const broken = await deliver(toAddress((relay.address() as net.AddressInfo).port));
    relay.close();
    expect(broken.verdict).toMatchObject({ is: "retry", why: "unreachable", isUncertain: true });
  });

  it("without TLS is spoken to only where whoever runs the server named it: no password goes out in the clear", async () => {
    const { port, mails } = await startMailServer();
    const plain = await deliver(toAddress(port, { host: "unnamed.test" }));
    expect(plain.verdict).toMatchObject({ is: "retry", why: "tls" });
    const untrusted = await startMailServer({ disabledCommands: [], secure: true });
    const selfSigned = await deliver(toAddress(untrusted.port, { scheme: "smtps" }));
    expect(selfSigned.verdict).toMatchObject({ is: "retry", why: "tls" });
    expect([...mails, ...untrusted.mails]).toEqual([]);
  });

  it("in a private network is not called, by its name or its address", async () => {
    for (const host of ["inside.test", "cloud.test", "10.0.0.8", "[::ffff:169.254.169.254]"]) {
      const result = await deliver(`smtp://a:b@${host}:25`);
      expect([host, result.verdict, result.status]).toEqual([
        host,
        { is: "failed", why: "address_refused" },
        null,
      ]);
    }
  });
});
