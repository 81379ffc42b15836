// Generated from the migrated schema by `npm run generate:tables`. Do not edit.

import type { Generated } from "../column-types.ts";

export interface BillingAccount {
  cancel_at_period_end: boolean | null;
  checkout_session_id: string | null;
  created_at: Date;
  current_period_end: Date | null;
  customer_id: string;
  org_id: string;
  revision: Generated<number>;
  status: string | null;
  subscription_id: string | null;
  tier: "free" | "pro" | "team" | "enterprise" | null;
  updated_at: Date;
}

export interface BillingEvent {
  id: string;
  received_at: Date;
  type: string;
}

export interface BillingTables {
  billing_accounts: BillingAccount;
  billing_events: BillingEvent;
}
