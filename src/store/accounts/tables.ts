// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated } from "../column-types.ts";

export interface MailOutbox {
  attempts: Generated<number>;
  created_at: Date;
  id: string;
  last_error: string | null;
  next_attempt_at: Date;
  sealed: Buffer | null;
  sent_at: Date | null;
  status: Generated<"queued" | "sent" | "failed">;
}

export interface Session {
  created_at: Date;
  expires_at: Date;
  id: string;
  ip: string | null;
  last_used_at: Date;
  token_hash: Buffer;
  user_id: string;
}

export interface SignupApproval {
  decided_at: Date | null;
  decided_by: string | null;
  expires_at: Date;
  id: string;
  method: "email_link" | "staff" | null;
  requested_at: Date;
  status: "pending" | "approved" | "rejected";
  token_hash: Buffer;
  user_id: string;
}

export interface Staff {
  created_at: Date;
  email: string;
  email_key: string;
  id: string;
  name: string;
  password_hash: string;
}

export interface StaffSession {
  created_at: Date;
  expires_at: Date;
  id: string;
  last_used_at: Date;
  staff_id: string;
  token_hash: Buffer;
}

export interface User {
  active_org_id: string | null;
  created_at: Date;
  deleted_at: Date | null;
  email: string;
  email_key: string;
  id: string;
  is_verified: Generated<boolean>;
  name: string;
  password_hash: string;
  status: "active" | "pending_approval" | "rejected";
  theme: Generated<"light" | "dark" | "system">;
}

export interface UserToken {
  created_at: Date;
  expires_at: Date;
  purpose: "verify_email" | "reset_password";
  token_hash: Buffer;
  used_at: Date | null;
  user_id: string;
}

export interface AccountsTables {
  mail_outbox: MailOutbox;
  sessions: Session;
  signup_approvals: SignupApproval;
  staff: Staff;
  staff_sessions: StaffSession;
  user_tokens: UserToken;
  users: User;
}
