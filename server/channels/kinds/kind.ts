import type { ChannelField, ChannelKind, DeliveryCode } from "../../contract/channel.ts";
import type { Notice } from "../../contract/notice.ts";
import type { HostLookup } from "../../outgoing/host-lookup.ts";
import type { OutgoingFetch } from "../../outgoing/outgoing.ts";
import type { Message } from "../message.ts";
import type { RateLimit } from "../rate-limit.ts";

/** What a channel is set to, secrets included: never logged, never answered. */
export interface ChannelConfig {
  readonly name: string;
  /** The URL, the integration key or the SMTP server with its password. */
  readonly address: string;
  /** The one in force first; more while one takes over from another. */
  readonly signingSecrets: readonly string[];
  readonly authorization: string | null;
  readonly keyword: string | null;
  readonly to: readonly string[];
  readonly from: string | null;
}

/** What is to be delivered. */
export interface Envelope {
  readonly notice: Notice;
  readonly message: Message;
  /** The same at every try. */
  readonly messageId: string;
  readonly publicUrl: string;
  readonly nowMs: number;
}

/** The ways out of the house, both guarded. */
export interface Net {
  readonly fetch: OutgoingFetch;
  readonly lookUp: HostLookup;
  /** Whether this host may be spoken to without encryption. */
  readonly mayBePlain: (host: string) => boolean;
  /** Of an exchange with a mail server, as a whole. */
  readonly timeoutMs: number;
}

/** What a try came to. */
export type Verdict =
  | {
      readonly is: "delivered";
      /** The receiver wants so much quiet before the next one. */
      readonly pauseMs?: number;
    }
  | {
      readonly is: "retry";
      readonly why: DeliveryCode;
      /** As the receiver said; `null`: it did not. */
      readonly afterMs: number | null;
      /** It may have arrived all the same. */
      readonly isUncertain?: boolean;
    }
  | { readonly is: "failed"; readonly why: DeliveryCode };

export interface TryResult {
  readonly verdict: Verdict;
  /** HTTP or SMTP; `null`: there was no answer. */
  readonly status: number | null;
  /** The receiver's own words, whole. */
  readonly answer: string;
  readonly requestBytes: number;
}

/** What is wrong with an address, in words for whoever entered it. */
export interface AddressFault {
  readonly fault: string;
}

/** A kind of channel: how its address looks, and how it is told something. */
export interface Kind {
  readonly kind: ChannelKind;
  /** As people call it. */
  readonly label: string;
  readonly needs: readonly ChannelField[];
  readonly takes: readonly ChannelField[];
  readonly limit: RateLimit;
  /** Whether a flood is summed up in one message. Machines that keep a state per alert need each. */
  readonly isDigested: boolean;
  /** How long a message is tried. */
  readonly giveUpMs: number;
  /** Shortest pause after a failure. */
  readonly firstPauseMs: number;
  /** Whether a URL looks like one of this kind; a fault: it does, and is of no use. */
  recognises(url: URL): boolean | AddressFault;
  /**
   * The address as it is kept, of an address of this kind, or of any that a person says is of this kind.
   *
   * @returns a fault where it cannot be one
   */
  readAddress(text: string): { readonly address: string } | AddressFault;
  /** Enough to tell it from others, and of no use to anybody else. */
  mask(address: string): string;
  deliver(envelope: Envelope, config: ChannelConfig, net: Net): Promise<TryResult>;
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
export const DAY_MS = 24 * HOUR_MS;
