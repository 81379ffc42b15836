import type { ColumnType, Generated } from "kysely";
import type { Severity } from "../../lib/severity.ts";

type Json<T> = ColumnType<T, string, string>;

/** The tables of what an org watches, as the migration 0004 makes them. */
export type ContractTables = {
  contracts: ContractTable;
  contract_labels: LabelTable;
  contract_grants: GrantTable;
  targets: TargetTable;
  channels: ChannelTable;
  alert_rules: RuleTable;
  watch_versions: { contract_id: string; chain: string; changed: string };
  unfollowed_contracts: UnfollowedTable;
};

type ContractTable = {
  id: string;
  org_id: string;
  chain: string;
  chain_id: string;
  address: string;
  label: string;
  status: "PENDING" | "MONITORING" | "PAUSED" | "ERROR";
  status_reason: string | null;
  category: Generated<string>;
  contract_type: Generated<string>;
  is_proxy: Generated<boolean>;
  implementation_address: string | null;
  is_verified: boolean | null;
  abi: Json<unknown> | null;
  abi_source: Generated<"upload" | "registry" | "bytecode" | "import" | "none">;
  last_activity_at: Date | null;
  external_ref: string | null;
  is_restricted: Generated<boolean>;
  /** When it is to be inspected next, and how often that was done since its code last changed. */
  inspect_at: Generated<Date | null>;
  inspections: Generated<number>;
  is_category_chosen: Generated<boolean>;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
};

type UnfollowedTable = {
  contract_id: string;
  chain: string;
  since: string;
  again_at: Date;
  created_at: Date;
};

type LabelTable = {
  id: string;
  org_id: string;
  contract_id: string;
  key: string | null;
  value: string;
  color: string | null;
  created_at: Date;
};

type GrantTable = {
  id: string;
  org_id: string;
  contract_id: string;
  user_id: string;
  role: "viewer" | "editor";
  granted_by: string | null;
  created_at: Date;
};

type TargetTable = {
  id: string;
  org_id: string;
  contract_id: string;
  target_type: string;
  name: string;
  config: Json<Record<string, unknown>>;
  unit: string | null;
  is_singleton: boolean;
  is_enabled: Generated<boolean>;
  generation: Generated<number>;
  status: Generated<"ok" | "no_data" | "error" | "unsupported">;
  status_reason: string | null;
  last_value: number | null;
  last_value_at: Date | null;
  created_at: Date;
  updated_at: Date;
};

type ChannelTable = {
  id: string;
  org_id: string;
  type: string;
  name: string;
  config: Json<Record<string, unknown>>;
  sealed_secrets: Buffer | null;
  min_severity: Generated<Severity>;
  is_enabled: Generated<boolean>;
  status: Generated<"ok" | "failing" | "disabled">;
  last_success_at: Date | null;
  last_error: string | null;
  revision: Generated<number>;
  failures: Generated<number>;
  first_failure_at: Generated<Date | null>;
  failing_since: Generated<Date | null>;
  next_send_at: Generated<Date | null>;
  created_at: Date;
  updated_at: Date;
};

type RuleTable = {
  id: string;
  org_id: string;
  contract_id: string;
  target_id: string;
  channel_id: string | null;
  channel_ids: Generated<string[]>;
  agent_id: string | null;
  name: string;
  severity: Severity;
  condition: Json<Record<string, unknown>>;
  for_seconds: Generated<number>;
  resolve_after_seconds: Generated<number>;
  cooldown_seconds: Generated<number>;
  renotify_seconds: number | null;
  notify_on_resolve: Generated<boolean>;
  no_data: Generated<"ignore" | "alert">;
  mode: Generated<"live" | "shadow">;
  confirmations: string | null;
  message_template: string | null;
  is_enabled: Generated<boolean>;
  version: Generated<number>;
  external_ref: string | null;
  created_by: string | null;
  created_at: Date;
  updated_at: Date;
};
