// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated } from "../column-types.ts";

export interface AlertHour {
  chain_id: string;
  contract_id: string | null;
  hour: Date;
  is_whole: boolean;
  org_id: string;
  severity: string;
  target_type: string;
  total: string;
}

export interface AlertHoursTouched {
  hour: Date;
  org_id: string;
}

export interface Anomaly {
  anomaly_type: string;
  at: Date;
  chain_id: string;
  contract_id: string;
  expected: number;
  id: string;
  last_seen_at: Date;
  org_id: string;
  score: number;
  severity: "info" | "warning" | "critical";
  target_id: string;
  value: number;
}

export interface AnomalyProgress {
  checked_at: Date;
  checked_until: Date;
  target_id: string;
}

export interface StreamHead {
  org_id: string;
  seq: string;
}

export interface StreamMessage {
  chain_id: string | null;
  contract_id: string | null;
  event: string;
  org_id: string;
  seq: string;
  subject_id: string;
  was_restricted: boolean | null;
}

export interface StreamQueue {
  chain_id: string | null;
  contract_id: string | null;
  event: string;
  id: Generated<string>;
  org_id: string;
  subject_id: string;
  was_restricted: boolean | null;
}

export interface AnalyticsTables {
  alert_hours: AlertHour;
  alert_hours_touched: AlertHoursTouched;
  anomalies: Anomaly;
  anomaly_progress: AnomalyProgress;
  stream_heads: StreamHead;
  stream_messages: StreamMessage;
  stream_queue: StreamQueue;
}
