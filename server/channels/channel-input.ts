import type { ChannelField, ChannelKind } from "../contract/channel.ts";
import { AppError, type FieldFault } from "../http/app-error.ts";
import type { AllowList } from "../outgoing/allow-list.ts";
import { checkUrl } from "../outgoing/check.ts";
import type { HostLookup } from "../outgoing/host-lookup.ts";
import { OutgoingError } from "../outgoing/outgoing-error.ts";
import type { ChannelSecrets, ChannelSettings } from "./config.ts";
import { readSmtpServer } from "./kinds/email.ts";
import type { Kind } from "./kinds/kind.ts";
import { tellKind } from "./kinds/kinds.ts";
import { isWebhookSecret } from "./kinds/webhook.ts";

/** What is needed to judge an address. */
export interface AddressDeps {
  readonly allow: AllowList;
  readonly lookUp: HostLookup;
}

/** Beside the address: what a kind takes or needs. `undefined`: not said. */
export interface ChannelExtras {
  readonly signingSecret?: string | null | undefined;
  readonly authorization?: string | null | undefined;
  readonly keyword?: string | null | undefined;
  readonly to?: readonly string[] | undefined;
  readonly from?: string | undefined;
}

const invalid = (errors: readonly FieldFault[]) =>
  new AppError({ status: 422, code: "invalid_body", title: "The body has faults", errors });
const fault = (field: string, detail: string): FieldFault => ({ pointer: `/${field}`, detail });

/**
 * The kind and the address of what somebody pasted, once it is one that may be called.
 *
 * @throws AppError 422
 */
export async function readAddress(
  { allow, lookUp }: AddressDeps,
  pasted: string,
  said?: ChannelKind,
): Promise<{ readonly kind: Kind; readonly address: string }> {
  const told = tellKind(pasted, said);
  if ("fault" in told) throw invalid([fault("address", told.fault)]);
  try {
    const server = readSmtpServer(told.address);
    await lookUpIfThere(lookUp, server?.host ?? checkUrl(told.address, allow).hostname);
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    throw invalid([fault("address", error.message)]);
  }
  return told;
}

/** What leads to a private network is told at once. A name that is not there now may be there later. */
async function lookUpIfThere(lookUp: HostLookup, host: string): Promise<void> {
  await lookUp(host.replace(/^\[(.*)\]$/, "$1")).catch((error: unknown) => {
    if (error instanceof OutgoingError && error.code === "outgoing_not_found") return;
    throw error;
  });
}

/**
 * What is stored of a channel: its secrets, and what may be shown.
 *
 * @throws AppError 422
 */
export function readChannel(
  { kind, address }: { readonly kind: Kind; readonly address: string },
  extras: ChannelExtras,
): { readonly secrets: ChannelSecrets; readonly settings: ChannelSettings } {
  const isSaid = (field: ChannelField) => {
    const value = extras[field];
    return value !== undefined && value !== null && value.length > 0;
  };
  const all = [...kind.needs, ...kind.takes];
  const fields: readonly ChannelField[] = ["signingSecret", "authorization", "keyword", "to", "from"];
  const faults = [
    ...kind.needs
      .filter((field) => !isSaid(field))
      .map((field) => fault(field, `is needed for ${kind.label}`)),
    ...fields
      .filter((field) => isSaid(field) && !all.includes(field))
      .map((field) => fault(field, `is nothing that ${kind.label} takes`)),
    ...listMoreFaults(kind, address, extras),
  ];
  if (faults.length > 0) throw invalid(faults);
  const signing = extras.signingSecret ?? null;
  const authorization = extras.authorization ?? null;
  return {
    secrets: { address, signing, before: null, authorization },
    settings: {
      mask: kind.mask(address),
      isSigned: signing !== null,
      hasAuthorization: authorization !== null,
      keyword: extras.keyword ?? null,
      to: extras.to ?? [],
      from: extras.from ?? null,
    },
  };
}

const ADDRESS = /^(?:[^<>]*<)?[^\s<>@]+@[^\s<>@]+>?$/;

function listMoreFaults(kind: Kind, address: string, { signingSecret, from }: ChannelExtras): FieldFault[] {
  const faults: FieldFault[] = [];
  if (kind.kind === "webhook" && signingSecret && !isWebhookSecret(signingSecret))
    faults.push(fault("signingSecret", "must be whsec_ and base64 of 24 to 64 bytes, or left out"));
  if (kind.kind === "email") {
    const sender = from ?? readSmtpServer(address)?.user ?? "";
    if (!ADDRESS.test(sender))
      faults.push(fault("from", "must be an address, or Name <address>: the server's user is none"));
  }
  return faults;
}
