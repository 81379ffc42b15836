// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated } from "../column-types.ts";

export interface Delivery {
  attempts: Generated<number>;
  attempts_before: Generated<number>;
  channel_id: string;
  channel_name: string;
  channel_type: string;
  created_at: Date;
  fence: Generated<number>;
  follows: boolean;
  id: string;
  is_muted: Generated<boolean>;
  kind: "fired" | "renotified" | "escalated" | "acknowledged" | "resolved" | "retracted" | "test";
  last_error: string | null;
  next_attempt_at: Date;
  org_id: string;
  position: Generated<string>;
  queued_at: Date;
  sent_at: Date | null;
  severity: "info" | "warning" | "critical";
  silence_id: string | null;
  status: "queued" | "sending" | "sent" | "failed" | "skipped" | "silenced";
  worker_id: string | null;
}

export interface DeliveryAttempt {
  attempt: number;
  delivery_id: string;
  error: string | null;
  excerpt: string | null;
  latency_ms: number | null;
  result: "sent" | "retry" | "failed" | "skipped" | "lost";
  started_at: Date;
  status_code: number | null;
}

export interface DeliveryNotice {
  channel_id: string;
  contract_id: string | null;
  delivery_id: string;
  event_id: string | null;
  notice_id: string;
}

export interface DeliveryWorker {
  id: string;
  lease_until: Date;
}

export interface MessageCount {
  hour: Date;
  mails_and_texts: number;
  messages: number;
  org_id: string;
}

export interface MessageOverflow {
  channel_id: string;
  hour: Date;
  messages: number;
  org_id: string;
  severity: "info" | "warning" | "critical";
}

export interface RecipientMessage {
  hour: Date;
  messages: number;
  org_id: string;
  recipient: string;
}

export interface RecipientOverflow {
  address: string;
  channel_type: "email" | "sms";
  hour: Date;
  messages: number;
  recipient: string;
}

export interface DeliveryTables {
  deliveries: Delivery;
  delivery_attempts: DeliveryAttempt;
  delivery_notices: DeliveryNotice;
  delivery_workers: DeliveryWorker;
  message_counts: MessageCount;
  message_overflows: MessageOverflow;
  recipient_messages: RecipientMessage;
  recipient_overflows: RecipientOverflow;
}
