// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated, Json } from "../column-types.ts";

export interface AlertEvent {
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  agent_id: string | null;
  block_hash: string | null;
  block_number: string | null;
  chain: string;
  chain_id: string;
  channel_ids: string[] | null;
  contract_id: string | null;
  created_at: Date;
  detected_at: Date;
  explanation: Json;
  finality: "pending" | "safe" | "finalized" | "retracted";
  fired_at: Date;
  group_value: string | null;
  held_for: string | null;
  id: string;
  is_occurrence: Generated<boolean>;
  is_silent: Generated<boolean>;
  kind: "fired" | "no_data" | "error" | "test";
  log_index: number | null;
  message: string;
  observation: string;
  operator: string;
  org_id: string;
  resolved_at: Date | null;
  resolved_height: string | null;
  rule_id: string | null;
  rule_name: string;
  rule_version: number;
  severity: "info" | "warning" | "critical";
  status: "firing" | "occurred" | "acknowledged" | "resolved" | "retracted";
  target_id: string | null;
  target_type: string;
  threshold: number | null;
  title: string;
  tx_hash: string | null;
  unit: string | null;
  value: number | null;
  window_seconds: number | null;
}

export interface AlertNotice {
  created_at: Date;
  event_id: string;
  fanned_out_at: Date | null;
  id: string;
  kind: "fired" | "renotified" | "escalated" | "acknowledged" | "resolved" | "retracted" | "test";
  occurrence: Generated<number>;
  org_id: string;
}

export interface ChainBlock {
  block_time: Date;
  chain: string;
  hash: string;
  height: string;
  parent_hash: string;
  scan: Json | null;
  seen: Json | null;
}

export interface ChainCursor {
  block_time: Date;
  chain: string;
  degraded_notified_at: Date | null;
  degraded_reason: string | null;
  finalized_height: Generated<string>;
  hash: string;
  head_height: string | null;
  head_seen_at: Date | null;
  height: string;
  last_error: string | null;
  reading: Json | null;
  safe_height: Generated<string>;
  updated_at: Date;
}

export interface ChainGap {
  chain: string;
  created_at: Date;
  from_height: string;
  id: string;
  to_height: string;
}

export interface ChainLease {
  chain: string;
  expires_at: Date;
  fence: string;
  holder: string;
  last_error: string | null;
}

export interface ChainScanFilter {
  chain: string;
  events: Json;
  filter: string;
}

export interface ContractCode {
  beacon: string | null;
  chain: string;
  contract_id: string;
  height: string;
  implementation: string | null;
}

export interface HeliusInbox {
  id: string;
  payload: string | null;
  processed_at: Date | null;
  received_at: Date;
  signature: string | null;
  slot: string | null;
  status: "waiting" | "done" | "malformed";
}

export interface RpcCall {
  calls: string;
  chain: string;
  day: string;
  endpoint: number;
  host: string;
  method: string;
}

export interface RuleState {
  chain: string;
  group_key: Generated<string>;
  height: string;
  rule_id: string;
  rule_version: number;
  state: Json;
}

export interface Sample {
  at: Date;
  chain: string;
  evidence: Json | null;
  height: string;
  org_id: string;
  position: number;
  series_id: string;
  subject: string | null;
  value: number;
}

export interface SamplesHour {
  at: Date;
  count: string;
  last: number;
  max: number;
  min: number;
  org_id: string;
  series_id: string;
  sum: number;
}

export interface SamplesMinute {
  at: Date;
  count: string;
  last: number;
  max: number;
  min: number;
  org_id: string;
  series_id: string;
  sum: number;
}

export interface SamplesTouched {
  hour: Date;
}

export interface WatchVersion {
  chain: string;
  changed: string;
  contract_id: string;
}

export interface EngineTables {
  alert_events: AlertEvent;
  alert_notices: AlertNotice;
  chain_blocks: ChainBlock;
  chain_cursors: ChainCursor;
  chain_gaps: ChainGap;
  chain_leases: ChainLease;
  chain_scan_filters: ChainScanFilter;
  contract_code: ContractCode;
  helius_inbox: HeliusInbox;
  rpc_calls: RpcCall;
  rule_states: RuleState;
  samples: Sample;
  samples_hour: SamplesHour;
  samples_minute: SamplesMinute;
  samples_touched: SamplesTouched;
  watch_versions: WatchVersion;
}
