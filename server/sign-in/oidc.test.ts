import { expect, it } from "vitest";
import { toIdentity } from "./oidc.ts";

const read = (claims: Record<string, unknown>) => toIdentity("https://id.example", "7", claims);

it("takes an e-mail only when the provider has verified it", () => {
  expect(read({ email: "Ada@Example.org", email_verified: true }).email).toBe("ada@example.org");
  expect(read({ email: "ada@example.org" }).email).toBeNull();
  expect(read({ email: "ada@example.org", email_verified: "true" }).email).toBeNull();
  expect(read({ email: " ", email_verified: true }).email).toBeNull();
});

it("takes a name without control characters, else the user name", () => {
  expect(read({ name: "Ada\u0000 L." }).name).toBe("Ada L.");
  expect(read({ preferred_username: "ada" }).name).toBe("ada");
  expect(read({ name: 7 })).toEqual({
    issuer: "https://id.example",
    subject: "7",
    name: null,
    email: null,
  });
});
