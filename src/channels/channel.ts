import type { z } from "zod";
import type { Clock } from "../lib/clock.ts";
import type { Mailer } from "../lib/mail/mailer.ts";
import type { Outbound } from "../lib/outbound/outbound.ts";
import type { Severity } from "../lib/severity.ts";

/** Why people are told: an alarm began, goes on, is being seen to, ended, was never true; or somebody tries a channel out. */
export type MessageKind = "fired" | "renotified" | "acknowledged" | "resolved" | "retracted" | "test";

/** What a message says about one alarm. Texts come from people and chains: each channel escapes them for its own place. */
export type Alert = {
  event_id: string;
  severity: Severity;
  /** Null for what the service itself noticed. */
  rule: { id: string; name: string } | null;
  contract: { id: string; label: string; address: string; url: string | null } | null;
  chain: { chain: string; name: string; chain_id: number };
  title: string;
  /** What happened in one sentence. */
  message: string;
  value: number | null;
  threshold: number | null;
  /** The comparison in words and with units, such as "3 events, at least 3". */
  clause: string | null;
  operator: string;
  unit: string | null;
  window_seconds: number | null;
  target_type: string;
  /** The call or event that did it, its arguments as readable text with decimals applied where known. */
  decoded: { name: string; args: { name: string; value: string }[] } | null;
  transaction: { hash: string; url: string | null } | null;
  block_number: number | null;
  finality: string;
  fired_at: Date;
  resolved_at: Date | null;
  acknowledged_by: string | null;
  /** The event's page; null while nobody outside could open it. */
  url: string | null;
};

/** One message to one channel. */
export type Message = {
  /** The same on every attempt, so that a receiver can tell a repeat from a second alarm. */
  id: string;
  kind: MessageKind;
  at: Date;
  org: { id: string; name: string };
  /** The worst of its alarms. */
  severity: Severity;
  /** At least one; several when one transaction set off several rules and the channel groups. */
  alerts: [Alert, ...Alert[]];
};

/** How an attempt ended. */
export type SendResult = {
  /** What the provider answered, for the record. */
  status: number | null;
  /** The beginning of the answer, without secrets. */
  excerpt: string | null;
} & Verdict;

/** What an answer means for the message. */
export type Verdict =
  | { result: "sent" }
  /** Worth another try; after this many seconds where the provider said so. `isAmbiguous` when it may have arrived. */
  | { result: "retry"; reason: string; afterSeconds?: number | undefined; isAmbiguous?: boolean }
  /** Never worth another try. `isDead`: nor is any other message to this channel until somebody changes it. */
  | { result: "failed"; reason: string; isDead: boolean }
  /** On purpose not sent, such as to a number that opted out. */
  | { result: "skipped"; reason: string };

/** What a channel may use. Outside services have a URL, so that another can stand in for them. */
export type ChannelDeps = {
  outbound: Outbound;
  mailer: Mailer;
  clock: Clock;
  urls: { telegram: string; pagerduty: string; opsgenie: { us: string; eu: string }; twilio: string };
  twilio: { accountSid: string; authToken: string; from: string } | undefined;
  /** Whether a number asked not to be sent anything. */
  hasOptedOut(phone: string): Promise<boolean>;
  /** For one request from the name lookup to the last byte of the answer; 10 seconds unless told. */
  timeoutMs?: number | undefined;
};

/** One kind of place that alerts go to. Everything about it is in one file. */
export type Channel<Config = never> = {
  type: string;
  /** For people, such as "PagerDuty". */
  title: string;
  /** The whole config as a person gives it, secrets and all; strict. */
  config: z.ZodType<Config>;
  /** Top-level fields of the config that are sealed at rest and never shown. */
  secrets: readonly (keyof Config & string)[];
  /** Top-level fields whose value is a URL to send to: the address policy is applied to them when they are saved. */
  urls: readonly (keyof Config & string)[];
  /** Fills in what a person may leave out and the service makes, such as a signing secret; shown once. */
  complete?(config: Config, randomBytes: (length: number) => Buffer): Config;
  /** The kinds of message it takes; others are not sent to it. */
  kinds: readonly MessageKind[];
  /** Whether several alarms of one transaction go out as one message. */
  groups: boolean;
  /** The least time between two messages to one place, as the provider wants it. */
  spacingMs: number;
  /** Sends one message. Never throws for what the other side does. */
  send(message: Message, config: Config, deps: ChannelDeps): Promise<SendResult>;
};

/** A channel of any kind, as the catalogue holds it. */
// biome-ignore lint/suspicious/noExplicitAny: each member knows its own config; the catalogue hands it only what its shape accepted.
export type AnyChannel = Channel<any>;

export function channel<Config>(definition: Channel<Config>): AnyChannel {
  return definition;
}
