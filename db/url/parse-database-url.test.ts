import { expect, test } from "vitest";
import { parseDatabaseUrl } from "./parse-database-url.ts";

test("takes a full URL apart", () => {
  expect(parseDatabaseUrl("postgres://ann:secret@db.example.com:6543/metrics?sslmode=require")).toEqual({
    target: {
      host: "db.example.com",
      port: 6543,
      user: "ann",
      password: "secret",
      database: "metrics",
      ssl: "require",
    },
    label: "postgres://ann@db.example.com:6543/metrics",
    ignored: [],
  });
});

test("fills in port and database, and asks a host elsewhere for encryption", () => {
  expect(parseDatabaseUrl("postgresql://ann@db").target).toEqual({
    host: "db",
    port: 5432,
    user: "ann",
    database: "ann",
    ssl: "prefer",
  });
});

test.each(["localhost", "127.0.0.1"])("does without encryption on this machine: %s", (host) => {
  expect(parseDatabaseUrl(`postgres://ann@${host}/metrics`).target).not.toHaveProperty("ssl");
});

test.each([
  "postgres://ann@/metrics?host=/var/run/postgresql",
  "postgres://ann@%2Fvar%2Frun%2Fpostgresql/metrics",
  "postgresql:///metrics?host=/var/run/postgresql&user=ann",
])("takes the folder of a socket: %s", (url) => {
  const { target, label } = parseDatabaseUrl(url);
  expect(target).toEqual({ host: "/var/run/postgresql", port: 5432, user: "ann", database: "metrics" });
  expect(label).toBe("postgres://ann@/metrics?host=/var/run/postgresql&port=5432");
});

test("connects to an IPv6 address by itself", () => {
  const { target, label } = parseDatabaseUrl("postgres://ann@[::1]:6543/metrics");
  expect(target).toMatchObject({ host: "::1", port: 6543 });
  expect(target.socket).toBeTypeOf("function");
  expect(label).toBe("postgres://ann@[::1]:6543/metrics");
});

test.each([
  ["p%40ss%25", "p@ss%"],
  ["p@ss:word", "p@ss:word"],
])("reads the password %s", (written, meant) => {
  expect(parseDatabaseUrl(`postgres://ann:${written}@localhost/metrics`).target.password).toBe(meant);
});

test("names the parameters it makes no use of", () => {
  const url = "postgres://ann@localhost/metrics?channel_binding=require&pgbouncer=true&sslmode=disable";
  expect(parseDatabaseUrl(url).ignored).toEqual(["channel_binding", "pgbouncer"]);
});

test("checks the certificate and its name for verify-full", () => {
  const { ssl } = parseDatabaseUrl(
    "postgres://ann@db.example.com/m?sslmode=verify-full&sslrootcert=system",
  ).target;
  expect(ssl).toMatchObject({ rejectUnauthorized: true, servername: "db.example.com" });
});

test.each([
  ["mysql://ann:hunter2@db/metrics", "mysql://"],
  ["ann:hunter2@db/metrics", "form"],
  ["postgres://ann:hunter2@db:99999/metrics", "port"],
  ["postgres://ann:hunter2@db:x/metrics", "form"],
  ["postgres://ann:hunter2%@db/metrics", "%"],
  ["postgres://ann:hunter2@a,b/metrics", "several hosts"],
  ["postgres://ann:hunter2@db/metrics?sslmode=maybe", "sslmode=maybe"],
])("refuses %s without its password", (url, reason) => {
  expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ code: "url_invalid" }));
  expect(() => parseDatabaseUrl(url)).toThrow(reason);
  expect(() => parseDatabaseUrl(url)).not.toThrow("hunter2");
});

test("says when the root certificate can't be read", () => {
  const url = "postgres://ann@db/metrics?sslmode=verify-ca&sslrootcert=/no/such/file.pem";
  expect(() => parseDatabaseUrl(url)).toThrow(expect.objectContaining({ code: "url_tls" }));
});
