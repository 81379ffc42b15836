import type { ColumnType, Generated } from "kysely";
import type { StreamTables } from "./analytics/stream-tables.ts";
import type { AnalyticsTables } from "./analytics/tables.ts";
import type { BillingTables } from "./billing/tables.ts";
import type { ContractTables } from "./contracts/tables.ts";
import type { DeliveryTables } from "./delivery/tables.ts";
import type { EngineTables } from "./engine/tables.ts";
import type { DiscoveryTables } from "./imports/tables.ts";
import type { KeyTables } from "./orgs/tables.ts";

/** The tables as the migrations make them. Column names are the names on the wire. */
export type Database = AccountTables &
  ContractTables &
  EngineTables &
  DeliveryTables &
  KeyTables &
  StreamTables &
  BillingTables &
  AnalyticsTables &
  DiscoveryTables;

type AccountTables = {
  users: UserTable;
  orgs: OrgTable;
  memberships: MembershipTable;
  sessions: SessionTable;
  user_tokens: UserTokenTable;
  invites: InviteTable;
  staff: StaffTable;
  staff_sessions: StaffSessionTable;
  signup_approvals: SignupApprovalTable;
  audit_log: AuditTable;
  mail_outbox: MailTable;
  idempotency_keys: IdempotencyTable;
  rate_windows: RateWindowTable;
  chain_switches: ChainSwitchTable;
};

type Json<T> = ColumnType<T, string, string>;

type UserTable = {
  id: string;
  email: string;
  email_key: string;
  name: string;
  password_hash: string;
  theme: Generated<"light" | "dark" | "system">;
  is_verified: Generated<boolean>;
  status: "active" | "pending_approval" | "rejected";
  active_org_id: string | null;
  created_at: Date;
};

type OrgTable = {
  id: string;
  name: string;
  tier: Generated<"free" | "pro" | "team" | "enterprise">;
  business: Json<Record<string, string | null | undefined>>;
  polling_interval_seconds: number | null;
  feature_flags: Json<Record<string, boolean | undefined>>;
  created_at: Date;
};

type MembershipTable = {
  org_id: string;
  user_id: string;
  role: "admin" | "member" | "viewer";
  joined_at: Date;
};

type SessionTable = {
  id: string;
  token_hash: Buffer;
  user_id: string;
  created_at: Date;
  last_used_at: Date;
  expires_at: Date;
};

type UserTokenTable = {
  token_hash: Buffer;
  user_id: string;
  purpose: "verify_email" | "reset_password";
  created_at: Date;
  expires_at: Date;
  used_at: Date | null;
};

type InviteTable = {
  id: string;
  org_id: string;
  email: string;
  email_key: string;
  role: "admin" | "member" | "viewer";
  token_hash: Buffer;
  status: "pending" | "accepted" | "revoked";
  invited_by: string;
  created_at: Date;
  expires_at: Date;
};

type StaffTable = {
  id: string;
  email: string;
  email_key: string;
  name: string;
  password_hash: string;
  created_at: Date;
};

type StaffSessionTable = Omit<SessionTable, "user_id"> & { staff_id: string };

type SignupApprovalTable = {
  id: string;
  user_id: string;
  token_hash: Buffer;
  status: "pending" | "approved" | "rejected";
  requested_at: Date;
  expires_at: Date;
  decided_at: Date | null;
  decided_by: string | null;
  method: "email_link" | "staff" | null;
};

type AuditTable = {
  id: string;
  org_id: string | null;
  action: string;
  actor_type: "user" | "api_key" | "staff" | "system" | "link";
  actor_id: string | null;
  actor_name: string | null;
  subject_type: string;
  subject_id: string | null;
  details: Json<Record<string, unknown>>;
  request_id: string | null;
  ip: string | null;
  created_at: Date;
};

type MailTable = {
  id: string;
  sealed: Buffer | null;
  attempts: Generated<number>;
  next_attempt_at: Date;
  status: Generated<"queued" | "sent" | "failed">;
  last_error: string | null;
  created_at: Date;
  sent_at: Date | null;
};

type IdempotencyTable = {
  principal: string;
  key: string;
  request_hash: Buffer;
  reserved_until: Date;
  status: number | null;
  sealed_reply: Buffer | null;
  created_at: Date;
};

type RateWindowTable = { key: string; hits: Date[]; was_admitted: boolean; expires_at: Date };

type ChainSwitchTable = {
  chain: string;
  is_enabled: boolean;
  changed_at: Date;
  changed_by: string | null;
};
