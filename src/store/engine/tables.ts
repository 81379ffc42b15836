import type { ColumnType, Generated } from "kysely";
import type { Severity } from "../../lib/severity.ts";

type Json<T> = ColumnType<T, string, string>;

/** The tables of the chain engine, as the migrations 0005 and 0008 make them. bigint columns arrive as text. */
export type EngineTables = {
  chain_cursors: CursorTable;
  chain_leases: { chain: string; holder: string; fence: string; expires_at: Date };
  chain_blocks: BlockTable;
  samples: SampleTable;
  samples_minute: RollUpTable;
  samples_hour: RollUpTable;
  rule_states: RuleStateTable;
  alert_events: EventTable;
  alert_notices: NoticeTable;
  contract_code: CodeTable;
  samples_touched: { hour: Date };
  history_pins: { org_id: string; until: Date; pinned_at: Date; known: string[] };
};

type CursorTable = {
  chain: string;
  height: string;
  hash: string;
  block_time: Date;
  head_height: string | null;
  head_seen_at: Date | null;
  degraded_reason: string | null;
  degraded_told_at: Date | null;
  last_error: string | null;
  updated_at: Date;
  safe_height: Generated<string>;
  finalized_height: Generated<string>;
};

type BlockTable = {
  chain: string;
  height: string;
  hash: string;
  parent_hash: string;
  block_time: Date;
  seen: Json<{ transactions: string[]; after: number; added: string[] }> | null;
};

type SampleTable = {
  series_id: string;
  org_id: string;
  chain: string;
  height: string;
  at: Date;
  position: number;
  value: number;
  subject: string | null;
  evidence: Json<unknown> | null;
};

type RollUpTable = {
  series_id: string;
  org_id: string;
  at: Date;
  count: string;
  sum: number;
  min: number;
  max: number;
  last: number;
};

type RuleStateTable = {
  rule_id: string;
  rule_version: number;
  chain: string;
  height: string;
  state: Json<unknown>;
};

type CodeTable = {
  contract_id: string;
  chain: string;
  height: string;
  implementation: string | null;
  beacon: string | null;
};

type EventTable = {
  id: string;
  org_id: string;
  kind: "fired" | "no_data" | "error" | "test";
  status: "firing" | "acknowledged" | "resolved" | "retracted";
  rule_id: string | null;
  rule_version: number;
  observation: string;
  rule_name: string;
  contract_id: string | null;
  agent_id: string | null;
  chain: string;
  chain_id: string;
  target_id: string | null;
  target_type: string;
  severity: Severity;
  title: string;
  message: string;
  value: number | null;
  threshold: number | null;
  operator: string;
  unit: string | null;
  window_seconds: number | null;
  is_silent: Generated<boolean>;
  held_for: string | null;
  fired_at: Date;
  detected_at: Date;
  resolved_at: Date | null;
  resolved_height: string | null;
  acknowledged_at: Date | null;
  acknowledged_by: string | null;
  block_number: string | null;
  block_hash: string | null;
  tx_hash: string | null;
  log_index: number | null;
  finality: "pending" | "safe" | "finalized" | "retracted";
  explanation: Json<unknown>;
  created_at: Date;
};

type NoticeTable = {
  id: string;
  org_id: string;
  event_id: string;
  kind: "fired" | "resolved" | "retracted" | "renotified" | "acknowledged";
  occurrence: Generated<number>;
  created_at: Date;
  fanned_out_at: Generated<Date | null>;
};
