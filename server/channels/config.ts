import type { Secrets } from "../secrets/secrets.ts";
import type { ChannelConfig } from "./kinds/kind.ts";

/** What of a channel is encrypted. */
export interface ChannelSecrets {
  readonly address: string;
  readonly signing: string | null;
  /** Signs as well, until then. */
  readonly before: { readonly secret: string; readonly untilMs: number } | null;
  readonly authorization: string | null;
}

/** What of it is not, and may be shown. */
export interface ChannelSettings {
  /** Host and last characters of the address. */
  readonly mask: string;
  readonly isSigned: boolean;
  readonly hasAuthorization: boolean;
  readonly keyword: string | null;
  readonly to: readonly string[];
  readonly from: string | null;
}

export const secretOf = (projectId: number, channelId: number) => ({
  projectId,
  name: `channel/${channelId}`,
});

/** @returns `null` when there is none. @throws SecretError when it cannot be opened */
export async function findChannelSecrets(
  secrets: Secrets,
  projectId: number,
  channelId: number,
): Promise<ChannelSecrets | null> {
  const text = await secrets.find(secretOf(projectId, channelId));
  return text === null ? null : (JSON.parse(text) as ChannelSecrets);
}

export function toConfig(
  { name, settings }: { readonly name: string; readonly settings: ChannelSettings },
  { address, signing, before, authorization }: ChannelSecrets,
  nowMs: number,
): ChannelConfig {
  const both = before !== null && before.untilMs > nowMs ? [before.secret] : [];
  return {
    name,
    address,
    signingSecrets: signing === null ? [] : [signing, ...both],
    authorization,
    keyword: settings.keyword,
    to: settings.to,
    from: settings.from,
  };
}

const SHORTEST_SECRET = 6;

/** What a receiver said, without what nobody may read: some send back what they were asked. */
export function hideSecrets(text: string, config: ChannelConfig): string {
  const { address, signingSecrets, authorization } = config;
  const parts = address.split(/[/?&=:@]+/).filter((part) => part.length >= 16);
  const spelled = [address, ...signingSecrets, ...(authorization?.split(/\s+/) ?? []), ...parts].flatMap(
    (secret) => [secret, encodeURIComponent(secret), decodeSafely(secret)],
  );
  return [...new Set(spelled)]
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, secret) => rest.replaceAll(secret, "…"), text);
}

function decodeSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
