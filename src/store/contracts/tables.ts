// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated, Json } from "../column-types.ts";

export interface ChainSwitch {
  chain: string;
  changed_at: Date;
  changed_by: string | null;
  is_enabled: boolean;
}

export interface ContractGrant {
  contract_id: string;
  created_at: Date;
  granted_by: string | null;
  id: string;
  org_id: string;
  role: "viewer" | "editor";
  user_id: string;
}

export interface ContractLabel {
  color: string | null;
  contract_id: string;
  created_at: Date;
  id: string;
  key: string | null;
  org_id: string;
  value: string;
}

export interface Contract {
  abi: Json | null;
  abi_bytes: number | null;
  abi_hash: string | null;
  abi_source: Generated<"upload" | "registry" | "bytecode" | "import" | "none">;
  address: string;
  category: Generated<string>;
  chain: string;
  chain_id: string;
  code_seen: Generated<boolean>;
  contract_type: Generated<string>;
  created_at: Date;
  created_by: string | null;
  external_ref: string | null;
  id: string;
  implementation_address: string | null;
  inspect_at: Generated<Date | null>;
  inspections: Generated<number>;
  is_category_chosen: Generated<boolean>;
  is_proxy: Generated<boolean>;
  is_restricted: Generated<boolean>;
  is_verified: boolean | null;
  label: string;
  last_activity_at: Date | null;
  org_id: string;
  paused_at: Date | null;
  profile: Json | null;
  search_failing_since: Date | null;
  search_problem: string | null;
  status: "PENDING" | "MONITORING" | "PAUSED" | "ERROR";
  status_code: "no_code" | "chain_disabled" | "suspended" | "resumed" | "unsupported_targets" | null;
  status_reason: string | null;
  token_accounts: Json | null;
  updated_at: Date;
}

export interface SuspendedContract {
  address: string;
  attempts: Generated<number>;
  chain: string;
  contract_id: string;
  created_at: Date;
  is_busy: Generated<boolean>;
  last_height: string;
  not_counted: Generated<string>;
  phase: Generated<"suspended" | "catching_up" | "resuming" | "resumed">;
  reason: string;
  resume_at: Date;
}

export interface Target {
  config: Generated<Json>;
  contract_id: string;
  created_at: Date;
  generation: Generated<number>;
  id: string;
  is_enabled: Generated<boolean>;
  is_singleton: boolean;
  last_value: number | null;
  last_value_at: Date | null;
  name: string;
  org_id: string;
  policy_id: string | null;
  status: Generated<"ok" | "no_data" | "error" | "unsupported">;
  status_code:
    | "unknown_type"
    | "unsupported_chain"
    | "unsupported_config"
    | "needs_code"
    | "read_failed"
    | "unresolved_names"
    | "unresolved_rule_names"
    | null;
  status_reason: string | null;
  target_type: string;
  unit: string | null;
  unread_at: Date | null;
  unread_height: string | null;
  unread_problem: string | null;
  updated_at: Date;
}

export interface ContractsTables {
  chain_switches: ChainSwitch;
  contract_grants: ContractGrant;
  contract_labels: ContractLabel;
  contracts: Contract;
  suspended_contracts: SuspendedContract;
  targets: Target;
}
