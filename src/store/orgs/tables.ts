import type { Generated } from "kysely";

/** API keys and what they did. */
export type KeyTables = {
  api_keys: KeyTable;
  api_key_usage: UsageTable;
  key_windows: { key_id: string; oldest: string; next: string };
  key_window_hits: { key_id: string; slot: number; at: Date };
};

type KeyTable = {
  id: string;
  org_id: string;
  name: string;
  prefix: string;
  key_hash: Buffer;
  scope: "read_only" | "read_write";
  contract_scope: string[] | null;
  chain_scope: string[] | null;
  expires_at: Date | null;
  is_active: Generated<boolean>;
  deactivated_at: Date | null;
  deactivated_by: "revoked" | "rotated" | "expired" | null;
  last_used_at: Date | null;
  created_by: string | null;
  created_at: Date;
};

type UsageTable = { org_id: string; key_id: string; day: string; requests: string; errors: string };
