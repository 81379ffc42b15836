// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated, Json } from "../column-types.ts";

export interface AlertRule {
  agent_id: string | null;
  channel_id: string | null;
  channel_ids: Generated<string[]>;
  condition: Json;
  confirmations: string | null;
  contract_id: string;
  cooldown_seconds: Generated<number>;
  created_at: Date;
  created_by: string | null;
  escalation: Generated<Json>;
  external_ref: string | null;
  for_seconds: Generated<number>;
  id: string;
  is_enabled: Generated<boolean>;
  message_template: string | null;
  mode: Generated<"live" | "shadow">;
  name: string;
  no_data: Generated<"ignore" | "alert">;
  notify_on_resolve: Generated<boolean>;
  org_id: string;
  policy_id: string | null;
  record_only: Generated<boolean>;
  renotify_seconds: number | null;
  resolve_after_seconds: Generated<number>;
  severity: "info" | "warning" | "critical";
  target_id: string;
  updated_at: Date;
  version: Generated<number>;
}

export interface Escalation {
  due_at: Date;
  event_id: string;
  org_id: string;
  round: number;
  started_at: Date;
  step: number;
}

export interface Policy {
  changed_by: string | null;
  created_at: Date;
  created_by: string | null;
  deleted_at: Date | null;
  id: string;
  is_changed_by_admin: boolean;
  is_enabled: boolean;
  name: string;
  org_id: string;
  rule: Json;
  rules_added: Generated<number>;
  rules_removed: Generated<number>;
  rules_updated: Generated<number>;
  selector: Json;
  target: Json;
  updated_at: Date;
}

export interface PolicyContract {
  code: string | null;
  contract_id: string;
  org_id: string;
  policy_id: string;
  reason: string | null;
  state: "pending" | "applied" | "failed" | "leaving";
}

export interface PolicyMark {
  contract_id: string;
  id: Generated<string>;
  org_id: string;
}

export interface Silence {
  contract_id: string | null;
  created_at: Date;
  created_by: string | null;
  deleted_at: Date | null;
  ends_at: Date;
  id: string;
  is_created_by_admin: Generated<boolean>;
  label: string | null;
  org_id: string;
  reason: string;
  severity: "info" | "warning" | "critical" | null;
  starts_at: Date;
}

export interface AlertsTables {
  alert_rules: AlertRule;
  escalations: Escalation;
  policies: Policy;
  policy_contracts: PolicyContract;
  policy_marks: PolicyMark;
  silences: Silence;
}
