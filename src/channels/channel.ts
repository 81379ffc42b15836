import type { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import type { Mailer } from "../lib/mail/mailer.ts";
import type { Outbound } from "../lib/outbound/outbound.ts";
import type { Severity } from "../lib/severity.ts";

/** The reason for a message: an alert fired, is ongoing, was acknowledged, resolved or retracted; or a user tests the channel. */
export type MessageKind =
  | "fired"
  | "renotified"
  | "escalated"
  | "acknowledged"
  | "resolved"
  | "retracted"
  | "test";

/** The content of one alert. Texts come from people and chains, so each channel escapes them for its format. */
export type Alert = {
  event_id: string;
  severity: Severity;
  /** Null for system alerts. */
  rule: { id: string; name: string } | null;
  contract: { id: string; label: string; address: string; url: string | null } | null;
  chain: { chain: string; name: string; chain_id: number };
  title: string;
  /** A sentence that describes the alert. */
  message: string;
  value: number | null;
  threshold: number | null;
  /** The comparison in words and with units, such as "3 events, at least 3"; empty if there is nothing to compare. */
  clause: string | null;
  operator: string;
  unit: string | null;
  window_seconds: number | null;
  target_type: string;
  /**
   * The call or event that caused the alert, with arguments as readable text and decimals applied where known. `label` is that
   * of a contract of the org, if the value is its address.
   */
  decoded: { name: string; args: { name: string; value: string; label?: string }[] } | null;
  transaction: { hash: string; url: string | null } | null;
  block_number: number | null;
  finality: string;
  fired_at: Date;
  resolved_at: Date | null;
  acknowledged_by: string | null;
  /** The event's page; null when the service has no public URL. */
  url: string | null;
};

/** One message to one channel. */
export type Message = {
  /** The same on every attempt, so that a receiver can recognise a repeat. */
  id: string;
  kind: MessageKind;
  at: Date;
  org: { id: string; name: string };
  /** The highest severity of its alerts. */
  severity: Severity;
  /** At least one; several when one transaction or one reading fired several rules and the channel groups alerts. */
  alerts: [Alert, ...Alert[]];
};

/** A message as its recipient reads it, without the markup of the provider. `json` is the body that a program receives. */
export type MessagePreview = { format: "text" | "json"; title: string | null; text: string };

/** The result of an attempt. */
export type SendResult = {
  /** The HTTP status of the provider's reply. */
  status: number | null;
  /** The start of the reply, without secrets. */
  excerpt: string | null;
  /** The raw text of a provider that the operator pays for; only for the log. */
  operatorDetails?: string;
} & Verdict;

/** What the provider's reply means for the delivery. */
export type Verdict =
  | { result: "sent" }
  /** To be tried again, after `afterSeconds` if the provider said so. `isAmbiguous`: the message may have arrived. */
  | { result: "retry"; reason: string; afterSeconds?: number | undefined; isAmbiguous?: boolean }
  /** Not to be tried again. `isDead`: no message can be sent to this channel until its config is changed. */
  | { result: "failed"; reason: string; isDead: boolean }
  /** Deliberately not sent, for example to a number that opted out. */
  | { result: "skipped"; reason: string };

/** The dependencies of channels. The URLs of providers are configurable, so that a test can replace them. */
export type ProviderDeps = {
  outbound: Outbound;
  mailer: Mailer;
  clock: Clock;
  urls: { telegram: string; pagerduty: string; opsgenie: { us: string; eu: string }; twilio: string };
  twilio: { accountSid: string; authToken: string; from: string } | undefined;
  /** Returns whether a phone number opted out of messages. */
  hasOptedOut(phone: string): Promise<boolean>;
  /** Returns the addresses that are neither members of the org nor have confirmed that they want its alerts. */
  unconfirmed(org_id: string, addresses: string[]): Promise<string[]>;
  /** Returns whether an org may send to a phone number: by a prefix that the operator allows, or confirmed by a code. */
  mayText(org_id: string, phone: string): Promise<boolean>;
  /**
   * Counts a message for each recipient, and returns the recipients who have not reached the limit of the hour. `undo` uncounts it
   * after an attempt that failed.
   */
  admit(
    org_id: string,
    channel_type: "email" | "sms",
    addresses: string[],
  ): Promise<{ admitted: string[]; undo(): Promise<void> }>;
  /** The timeout of one request, from the DNS lookup to the last byte of the reply; 10 seconds by default. */
  timeoutMs?: number | undefined;
};

/** The dependencies of one channel. */
export type ChannelDeps = ProviderDeps & {
  /** Stores a message in the inbox of the dashboard, under the channel that is sent to. */
  storeInInbox(entry: InboxEntry): Promise<void>;
};

/** A message as the inbox stores it. Each alert is one line; the texts are plain, and the dashboard shows them as such. */
export type InboxEntry = Pick<Message, "id" | "kind" | "severity"> & {
  org_id: string;
  title: string;
  message: string;
};

/** A channel type: its config, its message format and the meaning of its provider's replies. */
export type ChannelType<Config = never> = {
  type: string;
  /** The display name, such as "PagerDuty". */
  title: string;
  /** The strict schema of the config, including secrets. */
  config: z.ZodType<Config>;
  /** Top-level config fields that are encrypted at rest and never shown. */
  secrets: readonly (keyof Config & string)[];
  /** Top-level config fields that hold a destination URL; saving checks them against the policy for outbound addresses. */
  urls: readonly (keyof Config & string)[];
  /** Adds optional values that the service generates, such as a signing secret; they are shown once. */
  complete?(config: Config, randomBytes: (length: number) => Buffer): Config;
  /** The message kinds that this channel type sends. */
  kinds: readonly MessageKind[];
  /** True when several alerts of one transaction, or of one reading of state, are sent as one message. */
  groups: boolean;
  /** The minimum time between two messages to one destination, by the provider's rate limit. */
  spacingMs: number;
  /** Shows what a recipient of the message reads. */
  preview(message: Message): MessagePreview;
  /** Sends one message. A failure of the provider is a result, never an exception. */
  send(message: Message, config: Config, deps: ChannelDeps): Promise<SendResult>;
};

/** A channel type with its config type erased, for the catalogue. */
// biome-ignore lint/suspicious/noExplicitAny: each member has its own config type, and only gets a config that its schema accepted.
export type AnyChannelType = ChannelType<any>;

export function channel<Config>(definition: ChannelType<Config>): AnyChannelType {
  return definition;
}
