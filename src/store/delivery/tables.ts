import type { Generated } from "kysely";
import type { Severity } from "../../lib/severity.ts";

/** The tables of delivery, as the migration 0007 makes them. */
export type DeliveryTables = {
  silences: SilenceTable;
  delivery_workers: { id: string; lease_until: Date };
  deliveries: DeliveryTable;
  delivery_notices: { channel_id: string; notice_id: string; delivery_id: string; event_id: string };
  delivery_attempts: AttemptTable;
  sms_opt_outs: { phone: string; opted_out_at: Date };
};

type SilenceTable = {
  id: string;
  org_id: string;
  contract_id: string | null;
  label: string | null;
  severity: Severity | null;
  reason: string;
  starts_at: Date;
  ends_at: Date;
  deleted_at: Date | null;
  created_at: Date;
};

type DeliveryTable = {
  id: string;
  org_id: string;
  channel_id: string;
  channel_type: string;
  channel_name: string;
  kind: "fired" | "renotified" | "acknowledged" | "resolved" | "retracted";
  severity: Severity;
  follows: boolean;
  position: Generated<string>;
  status: "queued" | "sending" | "sent" | "failed" | "skipped" | "silenced";
  last_error: string | null;
  silence_id: string | null;
  is_muted: Generated<boolean>;
  attempts: Generated<number>;
  fence: Generated<number>;
  attempts_before: Generated<number>;
  next_attempt_at: Date;
  queued_at: Date;
  worker_id: string | null;
  sent_at: Date | null;
  created_at: Date;
};

type AttemptTable = {
  delivery_id: string;
  attempt: number;
  started_at: Date;
  latency_ms: number | null;
  result: "sent" | "retry" | "failed" | "skipped" | "lost";
  status_code: number | null;
  error: string | null;
  excerpt: string | null;
};
