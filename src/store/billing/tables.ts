import type { Generated } from "kysely";
import type { Tier } from "../../wire/primitives.ts";

/** Who pays, and what other services tell us. */
export type BillingTables = {
  billing_accounts: {
    org_id: string;
    customer_id: string;
    revision: Generated<number>;
    checkout_session_id: string | null;
    subscription_id: string | null;
    status: string | null;
    tier: Tier | null;
    current_period_end: Date | null;
    cancel_at_period_end: boolean | null;
    created_at: Date;
    updated_at: Date;
  };
  billing_events: { id: string; type: string; received_at: Date };
  former_tiers: { org_id: string; ended_at: Date; kept_days: number };
  sms_received: { message_sid: string; received_at: Date };
  helius_inbox: {
    id: string;
    signature: string | null;
    slot: string | null;
    status: "waiting" | "done" | "malformed";
    payload: string | null;
    received_at: Date;
    processed_at: Date | null;
  };
};
