import { describe, expect, it } from "vitest";
import { readSettings, SETTING_NAMES, SettingsError } from "./env.ts";

describe("readSettings", () => {
  it("binds to the loopback and keeps 400 days unless told otherwise", () => {
    expect(readSettings({ HOME: "/home/someone" })).toMatchObject({
      host: "127.0.0.1",
      port: 8420,
      databaseUrl: undefined,
      adminToken: undefined,
      roles: ["http", "jobs"],
      rawRetentionDays: 400,
    });
  });

  it("takes an empty variable for unset", () => {
    expect(readSettings({ PORT: "", DATABASE_URL: "", HOME: "/h" })).toMatchObject({
      port: 8420,
      databaseUrl: undefined,
    });
  });

  it("names all faults at once: the setting, what it must be, and what it is unless it is a secret", () => {
    const faulty = {
      PORT: "80000",
      HOST: "http://localhost",
      DATABASE_URL: "mysql://u:geheim@localhost/x",
      BUSYHOUR_DATA_DIR: "~/data",
      BUSYHOUR_ADMIN_TOKEN: "tooshort1",
      BUSYHOUR_OIDC_ISSUER: "https://id.example.com/?tenant=7",
      BUSYHOUR_OIDC_CLIENT_ID: "busy hour",
      BUSYHOUR_OIDC_CLIENT_SECRET: "geheim und lang",
      BUSYHOUR_OIDC_NAME: "x".repeat(41),
      BUSYHOUR_SECRET: "a-secret-that-is-short,and another",
      BUSYHOUR_PUBLIC_URL: "https://busyhour.example.com/path",
      BUSYHOUR_TRUSTED_PROXIES: "10.0.0.0/8, proxy.example.com",
      BUSYHOUR_OUTGOING_ALLOW: "hooks.corp, 169.254.169.254",
      BUSYHOUR_ROLES: "http,cron,clock",
      BUSYHOUR_RAW_RETENTION_DAYS: "1.5",
      BUSYHOUR_LOG_LEVEL: "x",
    };
    expect(Object.keys(faulty).sort()).toEqual([...SETTING_NAMES].sort());
    expect(() => readSettings(faulty)).toThrow(
      new SettingsError([
        'PORT: must be a whole number from 0 to 65535; it is "80000"',
        'HOST: must be an address or a name of this machine, such as 127.0.0.1, 0.0.0.0 or ::1; it is "http://localhost"',
        "DATABASE_URL is not the URL of a PostgreSQL database: it begins with mysql://. Write postgres://user:password@host:5432/database, with special characters percent-encoded (@ is %40, % is %25).",
        'BUSYHOUR_DATA_DIR: begins with ~, which only a shell replaces: write it out; it is "~/data"',
        "BUSYHOUR_ADMIN_TOKEN: must have at least 16 characters: try `openssl rand -base64 32`",
        "BUSYHOUR_SECRET: each must have at least 32 characters: try `openssl rand -base64 32`",
        'BUSYHOUR_PUBLIC_URL: must be scheme and host alone, such as https://busyhour.example.com; it is "https://busyhour.example.com/path"',
        'BUSYHOUR_TRUSTED_PROXIES: must be addresses or networks with commas between, such as 127.0.0.1, 10.0.0.0/8; it is "10.0.0.0/8, proxy.example.com"',
        'BUSYHOUR_OUTGOING_ALLOW: must be hosts, addresses or networks with commas between, such as hooks.corp.example, *.inner.example, 10.0.0.0/8: 169.254.169.254 is none that can be allowed; it is "hooks.corp, 169.254.169.254"',
        'BUSYHOUR_OIDC_ISSUER: must be an address like https://busyhour.example.com; http is for this machine alone; it is "https://id.example.com/?tenant=7"',
        'BUSYHOUR_OIDC_CLIENT_ID: must be of printable characters without blanks; it is "busy hour"',
        "BUSYHOUR_OIDC_CLIENT_SECRET: must be of printable characters without blanks",
        `BUSYHOUR_OIDC_NAME: must be a name of at most 40 characters; it is "${"x".repeat(41)}"`,
        'BUSYHOUR_ROLES: must be http, jobs, or both with a comma between; it is "http,cron,clock"',
        'BUSYHOUR_RAW_RETENTION_DAYS: must be a whole number from 1 to 3650; it is "1.5"',
        'BUSYHOUR_LOG_LEVEL: must be one of debug, info, warn, error, silent; it is "x"',
      ]),
    );
  });

  it("takes all of a provider of identities, or none of it", () => {
    expect(readSettings({}).oidc).toBeNull();
    const whole = {
      BUSYHOUR_OIDC_ISSUER: "https://id.example.com/tenant/",
      BUSYHOUR_OIDC_CLIENT_ID: "busyhour",
      BUSYHOUR_OIDC_CLIENT_SECRET: "geheim",
    };
    expect(readSettings(whole).oidc).toEqual({
      issuer: "https://id.example.com/tenant/",
      clientId: "busyhour",
      clientSecret: "geheim",
      name: "single sign-on",
    });
    expect(() => readSettings({ ...whole, BUSYHOUR_OIDC_CLIENT_SECRET: "" })).toThrow(
      new SettingsError(["BUSYHOUR_OIDC_CLIENT_SECRET: is missing; OpenID Connect takes all three"]),
    );
    expect(readSettings({ BUSYHOUR_PUBLIC_URL: "https://busy.example.com/" }).publicUrl).toBe(
      "https://busy.example.com",
    );
  });

  it("takes a network's settings apart", () => {
    const [a, b] = ["a".repeat(32), "b".repeat(32)];
    expect(
      readSettings({
        BUSYHOUR_SECRET: `${a}, ${b}`,
        BUSYHOUR_PUBLIC_URL: "https://Busyhour.Example.com:443/",
        BUSYHOUR_TRUSTED_PROXIES: "127.0.0.1,fd00::/8",
        BUSYHOUR_OUTGOING_ALLOW: "hooks.corp",
      }),
    ).toMatchObject({
      secrets: [a, b],
      publicUrl: "https://busyhour.example.com",
      trustedProxies: ["127.0.0.1", "fd00::/8"],
      outgoingAllow: { names: ["hooks.corp"], networks: [] },
    });
    expect(readSettings({})).toMatchObject({ secrets: undefined, publicUrl: undefined, trustedProxies: [] });
  });

  it.each(["0.0.0.0", "::1", "[::1]", "localhost", "box-7.example.com", "fe80::1%eth0"])(
    "takes the host %s",
    (host) => {
      expect(readSettings({ HOST: host }).host).toBe(host.replace(/[[\]]/g, ""));
    },
  );
});
