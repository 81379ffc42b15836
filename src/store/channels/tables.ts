// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated, Json } from "../column-types.ts";

export interface Channel {
  changed_at: Generated<Date>;
  changed_by: string | null;
  config: Generated<Json>;
  created_at: Date;
  failing_since: Date | null;
  failures: Generated<number>;
  first_failure_at: Date | null;
  id: string;
  is_changed_by_admin: Generated<boolean>;
  is_enabled: Generated<boolean>;
  last_error: string | null;
  last_success_at: Date | null;
  min_severity: Generated<"info" | "warning" | "critical">;
  name: string;
  next_send_at: Date | null;
  org_id: string;
  revision: Generated<number>;
  sealed_secrets: Buffer | null;
  status: Generated<"ok" | "failing" | "disabled">;
  type: string;
  updated_at: Date;
}

export interface EmailRecipient {
  confirmed_at: Date | null;
  email_key: string;
  expires_at: Date;
  org_id: string;
  requested_at: Date;
  token_hash: Buffer | null;
}

export interface InboxMessage {
  channel_id: string;
  delivery_id: string | null;
  id: string;
  kind: string;
  message: string;
  org_id: string;
  received_at: Date;
  severity: "info" | "warning" | "critical";
  title: string;
}

export interface InboxRead {
  message_id: string;
  user_id: string;
}

export interface SmsNumber {
  attempts_left: number;
  code_hash: Buffer | null;
  confirmed_at: Date | null;
  created_at: Date;
  expires_at: Date;
  id: string;
  org_id: string;
  phone: string;
}

export interface SmsOptOut {
  opted_out_at: Date;
  phone: string;
}

export interface SmsReceived {
  message_sid: string;
  received_at: Date;
}

export interface ChannelsTables {
  channels: Channel;
  email_recipients: EmailRecipient;
  inbox_messages: InboxMessage;
  inbox_reads: InboxRead;
  sms_numbers: SmsNumber;
  sms_opt_outs: SmsOptOut;
  sms_received: SmsReceived;
}
