import type { ChannelKind } from "../../contract/channel.ts";
import { alertmanager } from "./alertmanager.ts";
import { dingtalk } from "./dingtalk.ts";
import { discord } from "./discord.ts";
import { email } from "./email.ts";
import { feishu } from "./feishu.ts";
import type { AddressFault, Kind } from "./kind.ts";
import { pagerduty } from "./pagerduty.ts";
import { slack } from "./slack.ts";
import { teams } from "./teams.ts";
import { webhook } from "./webhook.ts";
import { wecom } from "./wecom.ts";

/** Every kind; one whose address cannot be told from that of others stands last. */
export const KINDS: readonly Kind[] = [
  slack,
  discord,
  teams,
  feishu,
  dingtalk,
  wecom,
  email,
  pagerduty,
  webhook,
  alertmanager,
];

const BY_NAME: ReadonlyMap<string, Kind> = new Map(KINDS.map((kind) => [kind.kind, kind]));

export function kindOf(name: ChannelKind): Kind {
  const kind = BY_NAME.get(name);
  if (kind === undefined) throw new Error(`there is no kind of channel ${name}`);
  return kind;
}

/**
 * What kind of channel a pasted address is of, and the address as it is kept.
 *
 * @param said the kind that a person names: then the address need not look like one of it, as that of a stand-in
 */
export function tellKind(
  pasted: string,
  said?: ChannelKind,
): { readonly kind: Kind; readonly address: string } | AddressFault {
  const text = pasted.trim();
  const url = URL.canParse(text) ? new URL(text) : null;
  for (const kind of KINDS) {
    const seen = url !== null && kind.recognises(url);
    // An address that is of no use is none of any other kind.
    if (typeof seen === "object") return seen;
    if (!seen) continue;
    return said === undefined || said === kind.kind ? read(kind, text) : { fault: `is one of ${kind.label}` };
  }
  if (said !== undefined) return read(kindOf(said), text);
  const asKey = pagerduty.readAddress(text);
  return "address" in asKey ? { kind: pagerduty, ...asKey } : read(webhook, text);
}

function read(kind: Kind, text: string) {
  const read = kind.readAddress(text);
  return "fault" in read ? read : { kind, ...read };
}
