import * as client from "openid-client";

export interface OidcSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** What the button says. */
  readonly name: string;
}

/** What the provider of identities says of somebody. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string | null;
  /** In lower case; `null` when there is none, or the provider has not made sure that it is theirs. */
  readonly email: string | null;
}

/** What the browser keeps between leaving and coming back. */
export interface OidcTrip {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcClient {
  /** A trip begins: where to send the browser, and what it is to keep. */
  begin(returnUrl: string): Promise<{ readonly url: string; readonly trip: OidcTrip }>;
  /**
   * The trip is over.
   *
   * @param url where the browser came back to, with its query
   * @throws what openid-client throws when the answer is not one to this trip
   */
  finish(url: URL, trip: OidcTrip): Promise<Identity>;
}

const TIMEOUT_SECONDS = 10;

/**
 * A client of the provider: authorization code with PKCE, `state` and `nonce`. What the provider says of itself is asked
 * for when it is first needed, and again when that failed. openid-client follows no redirects.
 */
export function createOidcClient({ issuer, clientId, clientSecret }: OidcSettings): OidcClient {
  let found: Promise<client.Configuration> | null = null;
  const discover = () => {
    found ??= client
      .discovery(new URL(issuer), clientId, clientSecret, undefined, {
        timeout: TIMEOUT_SECONDS,
        // The settings allow plain HTTP for this machine alone.
        execute: issuer.startsWith("http:") ? [client.allowInsecureRequests] : [],
      })
      .catch((error: unknown) => {
        found = null;
        throw error;
      });
    return found;
  };
  return {
    async begin(returnUrl) {
      const config = await discover();
      const trip = {
        state: client.randomState(),
        nonce: client.randomNonce(),
        verifier: client.randomPKCECodeVerifier(),
      };
      const url = client.buildAuthorizationUrl(config, {
        redirect_uri: returnUrl,
        scope: "openid email profile",
        code_challenge: await client.calculatePKCECodeChallenge(trip.verifier),
        code_challenge_method: "S256",
        state: trip.state,
        nonce: trip.nonce,
      });
      return { url: url.href, trip };
    },
    async finish(url, { state, nonce, verifier }) {
      const config = await discover();
      const tokens = await client.authorizationCodeGrant(config, url, {
        pkceCodeVerifier: verifier,
        expectedState: state,
        expectedNonce: nonce,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error("the provider sent no ID token");
      const more =
        config.serverMetadata().userinfo_endpoint === undefined
          ? {}
          : await client.fetchUserInfo(config, tokens.access_token, claims.sub);
      return toIdentity(claims.iss, claims.sub, { ...claims, ...more });
    },
  };
}

/** Reads the claims; an e-mail counts only when the provider says that it has verified it. */
export function toIdentity(
  issuer: string,
  subject: string,
  claims: Readonly<Record<string, unknown>>,
): Identity {
  const text = (name: string) => {
    const value = claims[name];
    return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
  };
  const email = text("email")?.toLowerCase() ?? null;
  const isVerified = claims["email_verified"] === true && email !== null && email.length <= 254;
  const name = text("name") ?? text("preferred_username");
  return {
    issuer,
    subject,
    name: name?.replaceAll(/\p{Cc}/gu, "").slice(0, 100) ?? null,
    email: isVerified ? email : null,
  };
}
