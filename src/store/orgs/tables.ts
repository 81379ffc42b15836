// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { ArrayType, Generated, Json } from "../column-types.ts";

export interface ApiKey {
  chain_scope: ArrayType<string> | null;
  contract_scope: string[] | null;
  created_at: Date;
  created_by: string | null;
  deactivated_at: Date | null;
  deactivated_by: "revoked" | "rotated" | "expired" | null;
  expires_at: Date | null;
  id: string;
  is_active: Generated<boolean>;
  key_hash: Buffer;
  last_used_at: Date | null;
  name: string;
  org_id: string;
  prefix: string;
  scope: "read_only" | "read_write";
}

export interface ApiKeyUsage {
  day: string;
  errors: string;
  key_id: string;
  org_id: string;
  requests: string;
}

export interface AuditLog {
  action: string;
  actor_id: string | null;
  actor_name: string | null;
  actor_type: "user" | "api_key" | "staff" | "system" | "link";
  created_at: Date;
  details: Generated<Json>;
  id: string;
  ip: string | null;
  org_id: string | null;
  request_id: string | null;
  subject_id: string | null;
  subject_type: string;
}

export interface IdempotencyKey {
  created_at: Date;
  key: string;
  principal: string;
  request_hash: Buffer;
  reserved_until: Date;
  sealed_reply: Buffer | null;
  status: number | null;
}

export interface Invite {
  created_at: Date;
  email: string;
  email_key: string;
  expires_at: Date;
  id: string;
  invited_by: string;
  org_id: string;
  role: "admin" | "member" | "viewer";
  status: "pending" | "accepted" | "revoked";
  token_hash: Buffer;
}

export interface KeyWindowHit {
  at: Date;
  key_id: string;
  slot: number;
}

export interface KeyWindow {
  key_id: string;
  next: string;
  oldest: string;
}

export interface Membership {
  joined_at: Date;
  org_id: string;
  role: "admin" | "member" | "viewer";
  user_id: string;
}

export interface Org {
  business: Generated<Json>;
  created_at: Date;
  deleted_at: Date | null;
  demo_channel_id: string | null;
  feature_flags: Generated<Json>;
  id: string;
  name: string;
  polling_interval_seconds: number | null;
  tier: Generated<"free" | "pro" | "team" | "enterprise">;
}

export interface RateWindow {
  expires_at: Date;
  hits: ArrayType<Date>;
  key: string;
  was_admitted: boolean;
}

export interface RetentionOverride {
  applies_before: Date;
  org_id: string;
  retention_days: number;
}

export interface OrgsTables {
  api_key_usage: ApiKeyUsage;
  api_keys: ApiKey;
  audit_log: AuditLog;
  idempotency_keys: IdempotencyKey;
  invites: Invite;
  key_window_hits: KeyWindowHit;
  key_windows: KeyWindow;
  memberships: Membership;
  orgs: Org;
  rate_windows: RateWindow;
  retention_overrides: RetentionOverride;
}
