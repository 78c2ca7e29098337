import { expect, test } from "vitest";
import { explainConnectFailure } from "./connect-failure.ts";

function anError(code: string) {
  return Object.assign(new Error("as the server put it"), { code });
}

test.each([
  ["28P01", "url_password"],
  ["28000", "url_password"],
  ["3D000", "url_database_missing"],
  ["53300", "url_refused"],
  ["ENOTFOUND", "url_unreachable"],
  ["ECONNREFUSED", "url_unreachable"],
  ["ECONNRESET", "url_unreachable"],
  ["CONNECT_TIMEOUT", "url_unreachable"],
  ["SELF_SIGNED_CERT_IN_CHAIN", "url_tls"],
  ["ERR_TLS_CERT_ALTNAME_INVALID", "url_tls"],
  ["", "url_refused"],
])("%s is %s", (code, expected) => {
  expect(explainConnectFailure(anError(code), "postgres://ann@db:5432/m", false)).toMatchObject({
    code: expected,
    message: expect.stringMatching(/^postgres:\/\/ann@db:5432\/m: .*DATABASE_URL/s),
  });
});

test("a server that is starting is worth another try", () => {
  expect(explainConnectFailure(anError("57P03"), "db", false)).toBe("starting");
});

test("a connection broken off where encryption was asked for is a matter of encryption", () => {
  expect(explainConnectFailure(anError("ECONNRESET"), "db", true)).toMatchObject({ code: "url_tls" });
});

test("looks into the failures of a host with several addresses", () => {
  const error = new AggregateError([anError("ECONNREFUSED"), anError("ECONNREFUSED")]);
  expect(explainConnectFailure(error, "db", false)).toMatchObject({ code: "url_unreachable" });
});
